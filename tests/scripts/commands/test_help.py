"""Every script tells what it does when asked with --help, and does nothing else."""

import os
import stat
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SCRIPTS = sorted(file for file in (ROOT / "scripts").iterdir() if file.is_file() and os.access(file, os.X_OK))
TOOLS = ("apt-get", "dpkg-query", "sudo", "cmake", "ctest")  # what a script would begin its work with


class Help(unittest.TestCase):
    def run_script(self, *arguments):
        """The script with tools in its way that leave a note if they are called."""
        with tempfile.TemporaryDirectory() as folder:
            note = Path(folder) / "note"
            for tool in TOOLS:
                stub = Path(folder) / tool
                stub.write_text(f"#!/bin/sh\necho {tool} >> {note}\nexit 1\n", encoding="utf-8")
                stub.chmod(stub.stat().st_mode | stat.S_IXUSR)
            done = subprocess.run(
                arguments,
                capture_output=True,
                text=True,
                check=False,
                stdin=subprocess.DEVNULL,
                env=os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"},
            )
            self.assertFalse(note.exists(), f"{arguments} called {note.read_text() if note.exists() else ''}")
            return done

    def test_each_script_prints_it_and_does_nothing_else(self):
        self.assertGreater(len(SCRIPTS), 15)
        for script in SCRIPTS:
            for option in ("--help", "-h"):
                with self.subTest(script=script.name, option=option):
                    done = self.run_script(str(script), option)
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
                    self.assertGreater(len(done.stdout), 80)

    def test_the_shell_scripts_print_the_comment_at_their_top(self):
        done = self.run_script(str(ROOT / "scripts/setup"), "--help")
        self.assertEqual(
            done.stdout.splitlines()[0],
            "setup [LIST...]: installs the Debian packages of scripts/packages.txt, and of the other lists named, "
            "that are missing,",
        )
        self.assertNotIn("pipefail", done.stdout)

    def test_setup_refuses_what_is_no_list_of_packages(self):
        for word in ("no-packages.txt", "--hlep", "demo"):
            done = self.run_script(str(ROOT / "scripts/setup"), word)
            self.assertEqual(done.returncode, 2)
            self.assertIn(
                f"setup: '{word}' is no list of packages; choose among fuzz-packages.txt packages.txt", done.stderr
            )


if __name__ == "__main__":
    unittest.main()
