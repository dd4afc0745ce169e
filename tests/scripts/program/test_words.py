"""What oscar-sim says of its version, and of a wrong command line."""

import unittest

from tests.scripts.program.terminal import piped


class Words(unittest.TestCase):
    def test_the_version_names_commit_compiler_and_systemc(self):
        lines = piped("--version").stdout.splitlines()
        self.assertRegex(lines[0], r"^oscar-sim \d+\.\d+\.\d+$")
        self.assertRegex(lines[1], r"^commit ([0-9a-f]{12}(-dirty)?|unknown), compiled by \w+ \d+\S*, SystemC \d+\.\d+")

    def test_a_wrong_command_line_is_refused_in_one_line_that_says_where_help_is(self):
        for arguments, expected in (
            ((), "missing command; choose one of run, traffic, predict, "),
            (("trace",), "choose one of info, verify, hash, convert, slice, generate; see oscar-sim trace --help"),
            (("run",), "missing config: what to run (YAML), or its name"),
            (("trace", "slice", "a"), "missing output: new folder; see oscar-sim trace slice --help"),
            (("report",), "missing folders: folders of runs, sweeps or trainings"),
            (("compare", "a"), "missing second: folder of another run, or its report.json"),
            (("trace", "generate", "x", "--ranks", "0"), "see oscar-sim trace generate --help"),
            (("run", "a", "--set"), "see oscar-sim run --help"),
        ):
            done = piped(*arguments)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done.stderr)
            self.assertTrue(done.stderr.startswith("oscar-sim: "), done.stderr)
            self.assertIn(expected, done.stderr)


if __name__ == "__main__":
    unittest.main()
