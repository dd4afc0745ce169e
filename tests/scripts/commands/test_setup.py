"""scripts/setup installs what is missing, by the names that this release has."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
DPKG = """#!/bin/sh
status=0
for name in "$@"; do
  case " $INSTALLED $name:" in *" $name "*) echo "install ok installed" ;; *" -"*:) ;; *) status=1 ;; esac
done
exit $status
"""
CACHE = """#!/bin/sh
for name in $KNOWN; do [ "$name" = "$2" ] && printf '%s:\\n  Candidate: 1.0\\n' "$2" && seq 100000 && exit 0; done
[ "$2" = mentioned ] && printf 'mentioned:\\n  Candidate: (none)\\n'
exit 0
"""
APT = """#!/bin/sh
echo "$@" >> "$LOG"
"""
SUDO = """#!/bin/sh
exec "$@"
"""


class Setup(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        tools = self.folder / "tools"
        tools.mkdir()
        for name, text in (("dpkg-query", DPKG), ("apt-cache", CACHE), ("apt-get", APT), ("sudo", SUDO)):
            (tools / name).write_text(text, encoding="utf-8")
            (tools / name).chmod(0o755)
        scripts = self.folder / "scripts"
        scripts.mkdir()
        for name in ("setup", "help.bash"):
            shutil.copy(ROOT / "scripts" / name, scripts)

    def setup_with(self, packages, installed="", known=""):
        """Runs setup over this list; returns its output and what it asked apt-get to install, or None."""
        (self.folder / "scripts/packages.txt").write_text(packages, encoding="utf-8")
        log = self.folder / "log"
        log.unlink(missing_ok=True)
        done = subprocess.run(
            [str(self.folder / "scripts/setup")],
            capture_output=True,
            text=True,
            check=True,
            env=os.environ
            | {
                "PATH": f"{self.folder / 'tools'}:{os.environ['PATH']}",
                "INSTALLED": installed,
                "KNOWN": known,
                "LOG": str(log),
            },
        )
        calls = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
        installs = [line.partition("--no-install-recommends ")[2] for line in calls if line.startswith("install")]
        return done, installs[0] if installs else None

    def test_nothing_is_asked_of_apt_if_all_is_there_one_alternative_being_enough(self):
        done, installed = self.setup_with("a\nnew|old\n", installed="a old")
        self.assertEqual((done.stdout, done.stderr, installed), ("", "", None))
        self.assertFalse((self.folder / "log").exists())

    def test_the_first_alternative_that_the_release_has_is_installed(self):
        for known, expected in (("new old", "new"), ("old", "old")):
            with self.subTest(known=known):
                _, installed = self.setup_with("a\nnew|old\n", installed="a", known=known)
                self.assertEqual(installed, expected)

    def test_a_package_that_the_release_lacks_is_named_and_the_others_are_installed(self):
        done, installed = self.setup_with("a\nmentioned\ngone|lost\n", known="a")
        self.assertEqual(installed, "a")
        self.assertIn("setup: this release has no package mentioned; going on without it", done.stderr)
        self.assertIn("setup: this release has no package gone|lost; going on without it", done.stderr)


if __name__ == "__main__":
    unittest.main()
