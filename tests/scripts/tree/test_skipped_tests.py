"""scripts/skipped_tests, and scripts/test, which ends with it."""

import contextlib
import io
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from tests.scripts.loading import script

skipped_tests = script("skipped_tests")
ROOT = Path(__file__).resolve().parents[3]

# A suite of Python's runner that skips in each way there is.
SUITE = '''
import sys, unittest

class Checks(unittest.TestCase):
    def test_passes(self):
        print("skipped is a word, too")
    @unittest.skipIf(True, "mypy isn't here (apt install mypy)")
    def test_types(self):
        """Of all modules."""
    def test_noisy(self):
        print("noise", file=sys.stderr)
        self.skipTest("no pseudo-terminals")

class Prepared(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        raise unittest.SkipTest("no node")
    def test_one(self): pass
'''

RESULTS = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="(empty)" tests="4" failures="1" skipped="1" disabled="1">
  <testcase name="Set/Vector.Adds/avx512" status="notrun">
    <skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>
    <system-out>[ RUN      ] Set/Vector.Adds/avx512
tests/codec/vector_test.cpp:23: Skipped
this host has no AVX-512

[  SKIPPED ] Set/Vector.Adds/avx512 (0 ms)</system-out>
  </testcase>
  <testcase name="Headers" status="notrun">
    <skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/><system-out>skipped: there is no clang++</system-out>
  </testcase>
  <testcase name="Ring.Sums" status="run"><system-out>[       OK ] Ring.Sums (0 ms)</system-out></testcase>
  <testcase name="Ring.Later" status="disabled"><system-out>Disabled</system-out></testcase>
  <testcase name="Scripts.fails" status="fail">
    <system-out>test_x (a.B.test_x) ... skipped 'but another one fails'</system-out></testcase>
  <testcase name="Scripts.docs" status="run"><system-out>{python}</system-out></testcase>
</testsuite>"""


def output_of_suite():
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "test_suite.py").write_text(SUITE, encoding="utf-8")
        return subprocess.run(
            (sys.executable, "-m", "unittest", "-v", "test_suite.py"),
            cwd=folder,
            text=True,
            check=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        ).stdout


class SkippedTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def results(self, python=""):
        file = self.folder / "tests.xml"
        file.write_text(RESULTS.replace("{python}", python), encoding="utf-8")
        return str(file)

    def excuses(self, *lines):
        file = self.folder / "excused.txt"
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return str(file)

    def run_on(self, *arguments):
        """(exit status, standard output, standard error)."""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = skipped_tests.main(arguments)
        return status, out.getvalue(), err.getvalue()

    def test_names_each_test_that_did_not_run_with_its_reason(self):
        self.assertEqual(
            self.run_on(self.results()),
            (
                0,
                "3 tests were skipped:\n"
                "  this host has no AVX-512: Set/Vector.Adds/avx512\n"
                "  there is no clang++: Headers\n"
                "  it is disabled: Ring.Later\n",
                "",
            ),
        )

    def test_finds_what_pythons_runner_skips_inside_a_test_that_passes(self):
        status, out, _ = self.run_on(self.results(output_of_suite()))
        self.assertEqual(status, 0)
        self.assertIn("6 tests were skipped:\n", out)
        self.assertIn("  mypy isn't here (apt install mypy): Scripts.docs test_types\n", out)
        self.assertIn("  no pseudo-terminals: Scripts.docs test_noisy\n", out)
        self.assertIn("  no node: Scripts.docs setUpClass\n", out)

    def test_fails_for_skips_that_nobody_excused(self):
        excuses = self.excuses(
            "# where the checks run",
            "Set/*/avx512: this host has no AVX*",
            "Headers: another reason   # note",
            "*.Later: it is disabled",
        )
        status, _, err = self.run_on(self.results(), "--excused", excuses)
        self.assertEqual((status, err), (1, f"skipped_tests: not excused in {excuses}: there is no clang++: Headers\n"))

    def test_passes_where_all_skips_are_excused(self):
        excuses = self.excuses(
            "Set/*/avx512: this host has no AVX*", "Headers: there is no clang*", "*.Later: it is disabled"
        )
        self.assertEqual(self.run_on(self.results(), "--excused", excuses)[0], 0)
        self.assertEqual(self.run_on(self.results(), "--excused", self.excuses(""))[0], 1)

    def test_abbreviates_long_lists(self):
        self.assertEqual(skipped_tests.names_text(list("abcdefgh")), "a, b, c, d, e, f and 2 more")

    def test_refuses_an_excuse_without_reason_and_results_that_are_none(self):
        status, _, err = self.run_on(self.results(), "--excused", self.excuses("", "Headers"))
        self.assertEqual(status, 2)
        self.assertIn("excused.txt:2: no reason; write it like", err)
        for wrong in (self.folder / "none.xml", self.folder / "excused.txt"):
            status, _, err = self.run_on(str(wrong))
            self.assertEqual(status, 2)
            self.assertIn("name the file that ctest --output-junit wrote", err)

    def test_the_excuses_of_the_checks_are_written_as_they_must_be(self):
        self.assertGreater(len(skipped_tests.excuses_in(ROOT / ".ci/excused-skips.txt")), 0)


class Test(unittest.TestCase):
    """scripts/test, with a cmake and a ctest that only write what these would."""

    def run_script(self, status, modules_there=()):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "scripts").mkdir()
            for module in modules_there:
                (folder / "build/npm/node_modules" / module).mkdir(parents=True)
            for file in ("test", "help.bash", "skipped_tests", "npm-modules.txt"):
                shutil.copy(ROOT / "scripts" / file, folder / "scripts" / file)
            self.tool(folder / "scripts/setup", "")
            self.tool(folder / "tools/npm", "echo npm $*; exit 1")
            self.tool(folder / "tools/cmake", "")
            self.tool(
                folder / "tools/ctest",
                f"while [[ $1 != --output-junit ]]; do shift; done\nmkdir -p $(dirname $2)\ncat > $2 <<'E'\n{RESULTS}\n"
                f"E\necho 'Total Test time (real) = 1 sec'\nexit {status}\n",
            )
            return subprocess.run(
                ("scripts/test", "-R", "Ring"),
                cwd=folder,
                text=True,
                capture_output=True,
                check=False,
                env=os.environ | {"PATH": f"{folder}/tools:{os.environ['PATH']}", "PRESET": "asan+ubsan"},
            )

    @staticmethod
    def tool(path, text):
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/usr/bin/env bash\n{text}\n", encoding="utf-8")
        path.chmod(0o755)

    def test_ends_with_the_skips_behind_the_closing_line_of_ctest(self):
        done = self.run_script(0)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(
            done.stdout.splitlines()[-5:-2],
            [
                "Total Test time (real) = 1 sec",
                "3 tests were skipped:",
                "  this host has no AVX-512: Set/Vector.Adds/avx512",
            ],
        )

    def test_fetches_the_packages_of_npm_where_one_is_missing(self):
        modules = (ROOT / "scripts/npm-modules.txt").read_text(encoding="utf-8").split()
        for there in ((), modules[:1], modules[1:]):
            fetched = rf"npm install .* {' '.join(modules)}\ntest: no packages of npm; go on without them"
            self.assertRegex(self.run_script(0, there).stdout, fetched, there)
        self.assertNotIn("npm", self.run_script(0, modules).stdout)

    def test_keeps_the_status_of_ctest(self):
        self.assertEqual(self.run_script(8).returncode, 8)


if __name__ == "__main__":
    unittest.main()
