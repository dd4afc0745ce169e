"""The Python package where it is installed: by CMake below each kind of prefix, and as a wheel."""

import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BUILD = ROOT / os.environ.get("OSCAR_BUILD", "build/release")
VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"
SIMULATES = """
import oscar_sim
from oscar_sim import simulation
config = {"trace": "traces/lenet-fmnist", "ranks": 2, "iterations": {"first": 5, "count": 1}, "methods": ["fp32"]}
report = oscar_sim.simulate(config)
print(oscar_sim.__file__, simulation.program(), report["methods"][0]["sums_match_reference"], sep="\\n")
"""


def run(*command, cwd=ROOT, **environment):
    return subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        env={
            **{key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "OSCAR_SIM")},
            **environment,
        },
    )


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)


class Installed(InFolder):
    def install(self, prefix, **environment):
        done = run("cmake", "--install", BUILD, "--prefix", prefix, **environment)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_each_prefix_has_it_where_debians_python_looks(self):
        for prefix, where in (
            ("/usr", "lib/python3/dist-packages"),
            ("/usr/local", f"lib/python{VERSION}/dist-packages"),
            ("/home/me/.local", f"lib/python{VERSION}/site-packages"),
        ):
            with self.subTest(prefix):
                self.install(prefix, DESTDIR=str(self.folder))
                package = Path(f"{self.folder}{prefix}/{where}/oscar_sim")
                self.assertEqual(
                    {path.name for path in package.iterdir() if path.suffix != ".so"},
                    {path.name for path in (ROOT / "python/oscar_sim").iterdir() if path.is_file()},
                )
                self.assertEqual(len(list(package.glob("_core*.so"))), 1)
                self.assertTrue((package.parent / "oscar_capture/ddp.py").is_file())
                self.assertTrue(Path(f"{self.folder}{prefix}/bin/oscar-sim").is_file())
        searched = run("/usr/bin/python3", "-c", "import sys; print(*sys.path, sep='\\n')").stdout.splitlines()
        self.assertLessEqual(
            {"/usr/lib/python3/dist-packages", f"/usr/local/lib/python{VERSION}/dist-packages"}, set(searched)
        )

    def test_a_users_folder_is_searched_and_its_program_is_found(self):
        self.install(self.folder / ".local")
        done = run(
            "/usr/bin/python3",
            "-c",
            SIMULATES,
            HOME=str(self.folder),
            PYTHONUSERBASE=str(self.folder / ".local"),
            PATH="/usr/bin:/bin",
        )
        self.assertEqual(
            done.stdout.splitlines(),
            [
                f"{self.folder}/.local/lib/python{VERSION}/site-packages/oscar_sim/__init__.py",
                f"{self.folder}/.local/bin/oscar-sim",
                "True",
            ],
            done.stderr,
        )

    def test_without_the_module_the_rest_is_installed_and_the_reason_printed(self):
        script = (BUILD / "python/install.cmake").read_text(encoding="utf-8")
        module = next((BUILD / "python/oscar_sim").glob("_core*.so"))
        (self.folder / "install.cmake").write_text(
            script.replace(str(module), f"{self.folder}/none.so"), encoding="utf-8"
        )
        done = run("cmake", f"-DCMAKE_INSTALL_PREFIX={self.folder}/prefix", "-P", self.folder / "install.cmake")
        self.assertEqual((done.returncode, (self.folder / "prefix").exists()), (0, False), done.stderr)
        self.assertIn(
            f"no Python package: {self.folder}/none.so has not been built (cmake --build . --target oscar_python)",
            done.stdout + done.stderr,
        )


@unittest.skipUnless(
    importlib.util.find_spec("build")
    and importlib.util.find_spec("build.__main__")
    and importlib.util.find_spec("ensurepip"),
    "python3-build or python3-venv is missing",
)
class Wheel(InFolder):
    def make(self, *arguments):
        done = run(
            sys.executable, "-m", "build", "--no-isolation", "--outdir", self.folder, *arguments, OSCAR_BUILD=str(BUILD)
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_virtual_environment_takes_it_and_simulates(self):
        self.make("--wheel")
        wheel = next(self.folder.glob("oscar_sim-*.whl"))
        self.assertIn(f"-cp{VERSION.replace('.', '')}-", wheel.name)
        run(sys.executable, "-m", "venv", "--system-site-packages", self.folder / "env")
        installed = run(self.folder / "env/bin/pip", "install", "--no-index", "--no-deps", wheel)
        self.assertEqual(installed.returncode, 0, installed.stderr)
        done = run(self.folder / "env/bin/python", "-c", SIMULATES, PATH="/usr/bin:/bin")
        self.assertEqual(
            done.stdout.splitlines(),
            [
                f"{self.folder}/env/lib/python{VERSION}/site-packages/oscar_sim/__init__.py",
                f"{self.folder}/env/bin/oscar-sim",
                "True",
            ],
            done.stderr,
        )
        with zipfile.ZipFile(wheel) as content:
            names = content.namelist()
        self.assertIn("oscar_sim/py.typed", names)
        traces = {
            name.split("/share/oscar-sim/traces/")[1].split("/")[0]
            for name in names
            if "/share/oscar-sim/traces/" in name
        }
        self.assertEqual(traces, {"README.md", "lenet-fmnist"})
        self.assertTrue(any(name.endswith("share/oscar-sim/configs/parts/pcie5-x16.yaml") for name in names))
        if "fsanitize" not in os.environ.get("OSCAR_CXX_FLAGS", ""):  # with which programs are ten times as large
            self.assertLess(wheel.stat().st_size, 20 << 20)
        self.assertIn("oscar_capture/__init__.py", names)
        for program in ("oscar-plot", "oscar-train", "oscar-import-step"):  # by the environment's Python and packages
            helped = run(self.folder / "env/bin" / program, "--help", cwd=self.folder)
            self.assertEqual(
                (helped.returncode, helped.stderr, helped.stdout.split()[:2]), (0, "", ["usage:", program])
            )
        demo = run(self.folder / "env/bin/oscar-sim", "run", "demo", "-o", self.folder / "demo", cwd=self.folder)
        self.assertEqual((demo.returncode, demo.stderr), (0, ""))
        step = ("run", "step", "-o", self.folder / "step")
        missing = run(self.folder / "env/bin/oscar-sim", *step, cwd=self.folder)
        self.assertEqual(missing.returncode, 2)
        self.assertIn(
            f"no such folder 'traces/vgg-fmnist', here, beside the configuration or above it, or in {self.folder}/env",
            missing.stderr,
        )
        self.assertEqual(
            run(self.folder / "env/bin/oscar-sim", *step, cwd=self.folder, OSCAR_SIM_DATA=str(ROOT)).returncode, 0
        )

    def test_the_source_distribution_has_all_that_cmake_reads(self):
        self.make("--sdist")
        archive = next(self.folder.glob("oscar*.tar.gz"))
        run("tar", "xf", archive, "-C", self.folder)
        source = self.folder / archive.name.removesuffix(".tar.gz")
        done = run("cmake", "-S", source, "-B", self.folder / "configured", "-G", "Ninja", "-DOSCAR_TESTS=OFF")
        self.assertEqual(done.returncode, 0, done.stderr)
        missing = [
            path
            for path in run(
                "git",
                "ls-files",
                "models",
                "sim",
                "python/oscar_sim",
                "python/oscar_capture",
                "python/bindings",
                "cmake",
                "scripts/plot",
                "scripts/train",
            ).stdout.split()
            if not (source / path).is_file()
        ]
        self.assertEqual(missing, [])


if __name__ == "__main__":
    unittest.main()
