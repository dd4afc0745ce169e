"""`cpack` makes Debian packages: each with what belongs to it, and a program that runs from where they are unpacked."""

import os
import shutil
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BUILD = Path(os.environ.get("OSCAR_BUILD", ROOT / "build/release"))


def output(*command, **options):
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True, **options).stdout


@unittest.skipUnless(
    shutil.which("dpkg-shlibdeps") and shutil.which("file"), "no package can be made (apt install dpkg-dev file)"
)
class DebianPackages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="oscar-deb-")
        output("cpack", "--config", BUILD / "CPackConfig.cmake", "-B", cls.folder.name, cwd=BUILD)
        cls.packages = {file.name.split("_")[0]: file for file in Path(cls.folder.name).glob("*.deb")}
        cls.root = Path(cls.folder.name) / "root"
        for file in cls.packages.values():
            output("dpkg-deb", "-x", file, cls.root)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def field(self, package, name):
        return output("dpkg-deb", "-f", self.packages[package], name).strip()

    def test_are_program_data_python_and_development(self):
        self.assertLessEqual({"oscar-sim", "oscar-sim-data", "liboscar-sim-dev"}, self.packages.keys())
        self.assertEqual(self.field("oscar-sim-data", "Architecture"), "all")

    def test_depend_on_the_libraries_that_are_linked(self):
        depends = self.field("oscar-sim", "Depends")
        for package in (
            "oscar-sim-data (= ",
            "libsystemc ",
            "libyaml-cpp",
            "libimath-3-1-29",
            "libsqlite3-0",
            "libzip",
            "libstdc++6",
        ):
            self.assertIn(package, depends)
        self.assertIn("libsystemc-dev", self.field("liboscar-sim-dev", "Depends"))

    def test_begin_their_descriptions_with_different_lines(self):
        lines = {self.field(package, "Description").splitlines()[0] for package in self.packages}
        self.assertEqual(len(lines), len(self.packages))

    def test_have_copyright_and_changelog_each(self):
        for package in self.packages:
            for document in ("copyright", "changelog.gz"):
                self.assertTrue((self.root / "usr/share/doc" / package / document).is_file(), f"{package}: {document}")

    def test_are_those_that_the_container_installs(self):
        text = (ROOT / "packaging/Containerfile").read_text(encoding="utf-8")
        named = set(re.findall(r"/packages/([a-z0-9-]+)_\*\.deb", text))
        self.assertGreater(len(named), 2)
        if "python3-oscar-sim" not in self.packages:
            named -= {"python3-oscar-sim"}  # the Python package was not built
        self.assertLessEqual(named, self.packages.keys())

    def test_hold_a_program_that_finds_its_data(self):
        with tempfile.TemporaryDirectory() as elsewhere:
            output(self.root / "usr/bin/oscar-sim", "run", "demo", "-o", "out", cwd=elsewhere)
            self.assertTrue((Path(elsewhere) / "out/report.json").is_file())

    def test_hold_the_scripts_of_users_as_programs(self):
        for program in ("oscar-plot", "oscar-train", "oscar-import-step"):
            self.assertIn(f"usage: {program}", output(self.root / "usr/bin" / program, "--help"))
        self.assertIn("python3-matplotlib", self.field("oscar-sim", "Suggests"))

    def test_hold_the_python_package_where_debian_looks_for_it(self):
        if "python3-oscar-sim" not in self.packages:
            self.skipTest("the Python package was not built")
        self.assertTrue((self.root / "usr/lib/python3/dist-packages/oscar_sim/__init__.py").is_file())
        self.assertTrue((self.root / "usr/lib/python3/dist-packages/oscar_capture/ddp.py").is_file())
        self.assertEqual(list(self.root.glob("usr/lib/python3*/site-packages")), [])
        self.assertRegex(
            self.field("python3-oscar-sim", "Depends"), r"python3 \(>= 3\.\d+\), python3 \(<< 3\.\d+\), python3-numpy"
        )


if __name__ == "__main__":
    unittest.main()
