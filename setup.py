"""Builds the wheel: what `cmake --install` copies, program included, packed for pip.

    python3 -m build --wheel --no-isolation        (Debian: python3-build)

OSCAR_BUILD names the build tree (default build/release), which is used again if it is there. The wheel links to
Debian's libraries (scripts/packages.txt), so it is for systems that have them. Of the traces, 73 MB, it holds that of
the demo; the folder of a checkout in OSCAR_SIM_DATA gives the program all of them.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
BUILD = ROOT / os.environ.get("OSCAR_BUILD", "build/release")


PACKAGES = ("oscar_sim", "oscar_capture")
TRACES = {"README.md", "lenet-fmnist"}  # of traces/


def is_for_the_wheel(file):
    """Of a file of the installation, by its path below the prefix."""
    traces = Path("share/oscar-sim/traces")
    return traces not in file.parents or file.relative_to(traces).parts[0] in TRACES


class BuildByCMake(build_py):
    """Builds and installs by CMake into a folder; the packages become the wheel's, the rest its data."""

    def run(self):
        if not (BUILD / "build.ninja").is_file():
            self.cmake("--preset", "release", "-B", BUILD, f"-DPython_EXECUTABLE={sys.executable}", "-DOSCAR_TESTS=OFF")
        self.cmake("--build", BUILD, "--target", "installable")
        stage = Path(self.build_lib).resolve().parent / "stage"
        shutil.rmtree(stage, ignore_errors=True)  # what an earlier build left there
        self.cmake("--install", BUILD, "--prefix", stage)
        package = next(stage.rglob("oscar_sim/__init__.py"), None)
        if package is None:
            sys.exit(
                "setup.py: CMake built no Python package; install pybind11-dev and python3-dev, and configure again"
            )
        importable = package.parent.parent
        for name in PACKAGES:
            self.copy_tree(str(importable / name), f"{self.build_lib}/{name}")
        others = (
            file.relative_to(stage) for file in stage.rglob("*") if file.is_file() and importable not in file.parents
        )
        self.distribution.data_files = [
            (str(file.parent), [str(stage / file)]) for file in others if is_for_the_wheel(file)
        ]

    def cmake(self, *arguments):
        subprocess.run(["cmake", *map(str, arguments)], cwd=ROOT, check=True)


class WithExtension(Distribution):
    """A distribution for one Python and machine, as its module is compiled."""

    def has_ext_modules(self):
        return True


(ROOT / "build").mkdir(exist_ok=True)
setup(
    version=re.search(r"project\(oscar-sim VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1],
    packages=list(PACKAGES),
    package_dir={"": "python"},
    distclass=WithExtension,
    cmdclass={"build_py": BuildByCMake},
    options={"build": {"build_base": "build/wheel"}, "egg_info": {"egg_base": "build"}},
    zip_safe=False,
)
