"""scripts/demo: the page of the run is its last line, wherever the run leaves its report. The build is left out: CMake
and the program are stubs that tell what they were asked."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]

# `run` writes its report where -o says, else where oscar-sim does; `report` prints the page of its folder.
PROGRAM = """#!/bin/bash
if [[ $1 == report ]]; then echo "$2/report.html"; exit 0; fi
folder=results/demo/latest
while (($#)); do [[ $1 != -o && $1 != --output ]] || folder=$2; shift; done
[[ $folder == - ]] || { mkdir -p "$folder"; touch "$folder/report.json"; }
"""


class Demo(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "scripts").mkdir()
        (self.folder / "build/release").mkdir(parents=True)
        (self.folder / "build/release/build.ninja").touch()
        for name in ("demo", "help.bash"):
            shutil.copy(ROOT / "scripts" / name, self.folder / "scripts")
        for name, text in (
            ("scripts/setup", "#!/bin/sh\n"),
            ("cmake", "#!/bin/sh\n"),
            ("build/release/oscar-sim", PROGRAM),
        ):
            (self.folder / name).write_text(text)
            (self.folder / name).chmod(0o755)

    def last_line(self, *arguments):
        done = subprocess.run(
            [self.folder / "scripts/demo", *arguments],
            env=os.environ | {"PATH": f"{self.folder}:{os.environ['PATH']}"},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.splitlines()[-1]

    def test_the_last_line_is_the_page_of_the_run(self):
        self.assertEqual(self.last_line(), "results/demo/latest/report.html")
        self.assertEqual(self.last_line("--set", "ranks=4", "-o", "mine"), "mine/report.html")
        self.assertEqual(self.last_line("--output", "other", "-q"), "other/report.html")

    def test_a_run_that_writes_no_report_has_no_page(self):
        self.assertNotIn("report.html", self.last_line("-o", "-"))


if __name__ == "__main__":
    unittest.main()
