""".ci/run, and the scripts behind it that sanitize and fuzz: they leave nothing out, and fail where something fails."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


class Checks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = Path(folder.name)
        (self.tree / "scripts").mkdir()
        for script in ("fuzz", "sanitize", "help.bash"):
            shutil.copy(ROOT / "scripts" / script, self.tree / "scripts" / script)
        self.tool("scripts/setup", "")
        self.tool("tools/cmake", 'echo "cmake $*" >> cmake.log')

    def tool(self, name, text):
        path = self.tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/usr/bin/env bash\n{text}\n", encoding="utf-8")
        path.chmod(0o755)

    def run_script(self, *arguments):
        return subprocess.run(
            arguments,
            cwd=self.tree,
            text=True,
            capture_output=True,
            check=False,
            env=os.environ | {"PATH": f"{self.tree}/tools:{os.environ['PATH']}"},
        )

    def log(self, name):
        return sorted((self.tree / name).read_text(encoding="utf-8").splitlines())

    def run_checks(self, failing=None):
        """The checks of .ci/run in the order in which they came, each but `failing` well."""
        (self.tree / ".ci").mkdir(exist_ok=True)
        shutil.copy(ROOT / ".ci/run", self.tree / ".ci/run")
        for name in ("test", "skipped_tests", "lint", "sanitize", "fuzz"):
            self.tool(f"scripts/{name}", f'echo "{name} $*" | xargs >> checks.log; exit {int(name == failing)}')
        (self.tree / "checks.log").unlink(missing_ok=True)
        done = self.run_script(".ci/run")
        return done.returncode, (self.tree / "checks.log").read_text(encoding="utf-8").splitlines()

    def test_the_checks_of_a_change_are_tests_form_sanitizers_and_some_time_of_each_fuzzer(self):
        status, checks = self.run_checks()
        self.assertEqual(status, 0)
        self.assertEqual(
            checks,
            [
                "test",
                "skipped_tests --excused .ci/excused-skips.txt build/release/tests.xml",
                "lint",
                "sanitize",
                "fuzz 45",
            ],
        )

    def test_the_checks_of_a_change_fail_where_one_fails(self):
        for name in ("test", "skipped_tests", "lint", "sanitize", "fuzz"):
            status, checks = self.run_checks(failing=name)
            self.assertEqual((status, checks[-1].split()[0]), (1, name))

    def test_sanitizers_and_fuzzers_share_their_objects(self):
        """Two builds of the libraries would not fit into the time of .ci/run."""
        for script in ("fuzz", "sanitize"):
            (self.tree / "cmake.log").unlink(missing_ok=True)
            self.fuzzers()
            self.tool("build/nightly/tests/room/a_test", "")
            self.assertEqual(
                self.run_script(f"scripts/{script}", *(("1", "npy") if script == "fuzz" else ("a_test",))).returncode, 0
            )
            self.assertIn("cmake --preset nightly", self.log("cmake.log"))

    def test_sanitize_takes_another_preset(self):
        self.tool("build/asan-ubsan/tests/room/a_test", "echo ran >> parts.log")
        done = subprocess.run(
            ["scripts/sanitize", "a_test"],
            cwd=self.tree,
            capture_output=True,
            check=False,
            env=os.environ | {"PATH": f"{self.tree}/tools:{os.environ['PATH']}", "PRESET": "asan+ubsan"},
        )
        self.assertEqual(done.returncode, 0)
        self.assertIn("ran", self.log("parts.log"))
        self.assertIn("cmake --build --preset asan+ubsan --target a_test", self.log("cmake.log"))

    def test_every_fuzzer_is_built_and_run(self):
        names = sorted(
            re.findall(r"\b(\w+)_fuzz\.cpp", " ".join(file.name for file in ROOT.glob("tests/*/fuzz/*_fuzz.cpp")))
        )
        self.assertGreaterEqual(len(names), 6)
        fuzz = (ROOT / "scripts/fuzz").read_text(encoding="utf-8")
        self.assertEqual(sorted(re.search(r"^all=\((.*)\)$", fuzz, re.MULTILINE).group(1).split()), names)
        presets = json.loads((ROOT / "CMakePresets.json").read_text(encoding="utf-8"))["buildPresets"]
        built = next(preset["targets"] for preset in presets if preset["name"] == "nightly")
        self.assertEqual(sorted(built), [f"{name}_fuzz" for name in names])

    def fuzzers(self, **status):
        """Programs that note their arguments and end as told."""
        for name in (
            "coder",
            "config",
            "goal",
            "message",
            "msccl",
            "nccl_log",
            "npy",
            "npz",
            "points",
            "report",
            "safetensors",
        ):
            self.tool(
                f"build/nightly/{name}_fuzz",
                f'echo "{name} $*" >> fuzz.log; echo "{name} tells"; exit {status.get(name, 0)}',
            )
        self.tool("build/nightly/message_seeds", 'touch "$1/link-0"')
        golden = self.tree / "tests/golden"
        golden.mkdir(parents=True, exist_ok=True)
        (golden / "small.json").write_text("{}")
        (golden / "large.json").write_text(" " * 70_000)  # beyond the longest input

    def test_fuzz_gives_each_fuzzer_its_seconds_and_its_seeds(self):
        self.fuzzers()
        done = self.run_script("scripts/fuzz", "7")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = self.log("build/nightly/fuzz.log")
        self.assertEqual(lines[0], "coder 7 1")
        for line, seeds in zip(
            lines[1:],
            (
                "../../configs",
                "../../tests/schedules/fuzz/corpus/goal",
                "seeds",
                "../../tests/schedules/fuzz/corpus/msccl",
                "../../tests/fit/fuzz/corpus/nccl_log",
                *(f"../../tests/trace/corpus/{kind}" for kind in ("npy", "npz")),
                "../../tests/sweep/fuzz/corpus/points",
                "golden",
                "../../tests/trace/corpus/safetensors",
            ),
            strict=True,
        ):
            self.assertIn("-max_total_time=7 ", line)
            self.assertTrue(line.endswith(seeds), line)
        self.assertTrue((self.tree / "build/nightly/seeds/link-0").exists())
        self.assertEqual([path.name for path in (self.tree / "build/nightly/golden").iterdir()], ["small.json"])

    def test_fuzz_fails_where_one_fuzzer_does_and_shows_its_end(self):
        for name in ("coder", "npz"):
            self.fuzzers(**{name: 77})
            done = self.run_script("scripts/fuzz", "1")
            self.assertNotEqual(done.returncode, 0, name)
            self.assertIn(f"{name} tells", done.stdout + done.stderr)
            self.assertEqual(
                len(set(line.split()[0] for line in self.log("build/nightly/fuzz.log"))), 11
            )  # the others ran all the same

    def test_fuzz_refuses_what_it_does_not_know(self):
        for arguments in (("soon",), ("60", "yaml"), ("60", "npz", "o")):
            done = self.run_script("scripts/fuzz", *arguments)
            self.assertEqual(done.returncode, 2, arguments)
        self.assertIn(
            "there is no fuzzer 'o'; choose among coder config goal message msccl nccl_log npy npz points report "
            "safetensors",
            done.stderr,
        )
        self.assertFalse((self.tree / "cmake.log").exists())

    def test_sanitize_runs_programs_that_are_there(self):
        sanitize = (ROOT / "scripts/sanitize").read_text(encoding="utf-8")
        programs = re.search(r"\|\| programs=\((.*?)\)", sanitize, re.MULTILINE).group(1).split()
        lists = "".join(file.read_text(encoding="utf-8") for file in ROOT.glob("tests/*/CMakeLists.txt"))
        self.assertGreater(len(programs), 4)
        for program in programs:
            self.assertIn(f"oscar_test({program} ", lists)
            self.assertNotIn(f"oscar_test({program} oscar_sc_main", lists, "one simulation per process")
            libraries = re.search(rf"oscar_test\({program} (.*) SOURCES", lists).group(1)
            self.assertNotRegex(
                libraries, "compressor|machine|parameters|experiment|sweep", f"{program} takes long to compile"
            )

    def test_sanitize_runs_every_part_of_each_program(self):
        for name in ("a_test", "b_test"):
            self.tool(
                f"build/nightly/tests/room/{name}", f'echo "{name} $GTEST_SHARD_INDEX/$GTEST_TOTAL_SHARDS" >> parts.log'
            )
        done = self.run_script("scripts/sanitize", "a_test", "b_test")
        self.assertEqual(done.returncode, 0, done.stderr)
        cores = int(subprocess.run("nproc", capture_output=True, text=True, check=True).stdout)
        self.assertEqual(
            self.log("parts.log"),
            sorted(f"{name} {part}/{cores}" for name in ("a_test", "b_test") for part in range(cores)),
        )
        self.assertIn("cmake --build --preset nightly --target a_test b_test", self.log("cmake.log"))

    def test_sanitize_fails_where_one_part_does(self):
        self.tool("build/nightly/tests/room/a_test", "exit $((GTEST_SHARD_INDEX == 0))")
        self.assertNotEqual(self.run_script("scripts/sanitize", "a_test").returncode, 0)


if __name__ == "__main__":
    unittest.main()
