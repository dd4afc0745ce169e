"""What is installed works from any folder, without the source tree: configurations, traces, manual pages,
completion, Python."""

import gzip
import importlib.util
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from tests.scripts.loading import script

readme = script("readme_blocks")
ROOT = Path(__file__).resolve().parents[3]
BUILD = Path(os.environ.get("OSCAR_BUILD", ROOT / "build/release"))
PROGRAMS = ("oscar-plot", "oscar-train", "oscar-import-step")

TRY_COMPLETION = """source "$1"
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_oscar_sim
printf '%s\\n' "${COMPREPLY[@]}"
"""


CAPTURE = """import torch
from oscar_capture import logical

torch.manual_seed(1)
model = torch.nn.Linear(80, 40)
recorder = logical.Recorder(model, "captured", ranks=2, first=0, count=3)
for _ in range(3):
    for rank in range(2):
        with recorder.worker(rank):
            recorder.loss(model(torch.randn(16, 80)).square().mean()).backward()
    recorder.average()
recorder.finish()
print("captured")
"""


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="oscar-install-")
        cls.prefix = Path(cls.folder.name).resolve() / "prefix"
        cls.elsewhere = Path(cls.folder.name) / "elsewhere"
        cls.elsewhere.mkdir()
        subprocess.run(["cmake", "--install", str(BUILD), "--prefix", str(cls.prefix)], check=True, capture_output=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def oscar_sim(self, *arguments, **environment):
        return subprocess.run(
            [str(self.prefix / "bin/oscar-sim"), *arguments],
            cwd=self.elsewhere,
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | environment,
        )

    def test_runs_each_kind_of_shipped_configuration_by_its_name(self):
        for command, name, result in (
            ("run", "demo", "report.json"),
            ("predict", "a100", "prediction.json"),
            ("traffic", "mesh4-tornado", "report.json"),
        ):
            with self.subTest(command=command):
                done = self.oscar_sim(command, name, "-o", command)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertTrue((self.elsewhere / command / result).is_file())

    def test_finds_shipped_traces_from_a_configuration_of_ones_own(self):
        (self.elsewhere / "own.yaml").write_text("trace: traces/lenet-fmnist\nmethods: [fp32]\n", encoding="utf-8")
        self.assertEqual(self.oscar_sim("run", "own.yaml", "-o", "own").returncode, 0)
        self.assertEqual(self.oscar_sim("trace", "info", "traces/lenet-fmnist").returncode, 0)

    def test_the_base_of_a_sweep_of_ones_own_may_be_shipped(self):
        (self.elsewhere / "sweep.yaml").write_text(
            "base: configs/experiments/synthetic.yaml\naxes: [{key: ranks, values: [2, 4]}]\n", encoding="utf-8"
        )
        self.assertIn("2 points: 2 done", self.oscar_sim("sweep", "sweep.yaml", "-o", "sweep").stdout)

    def test_says_where_it_searched_for_a_configuration(self):
        done = self.oscar_sim("run", "dmeo")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(
            done.stderr,
            "oscar-sim: dmeo: no such file (did you mean demo?); name a YAML file, or one of configs/experiments "
            f"and {self.prefix}/share/oscar-sim/configs/experiments without its ending\n",
        )

    def test_finds_nothing_where_another_folder_is_named_for_the_shipped_files(self):
        self.assertIn(
            "or one of configs/experiments and /nowhere/configs/experiments",
            self.oscar_sim("run", "demo", OSCAR_SIM_DATA="/nowhere").stderr,
        )

    def test_finds_parts_of_machines_by_their_names(self):
        (self.elsewhere / "built.yaml").write_text(
            "base: [pcie4-x16, h100-sxm, ethernet-400g]\npayload: synthetic\nsize: 64KiB\nmethods: [fp32]\n",
            encoding="utf-8",
        )
        done = self.oscar_sim("run", "built.yaml", "--json")
        config = json.loads(done.stdout)["config"]
        self.assertEqual(
            (config["gpu"]["dma_bandwidth"], config["gpu"]["memory_bandwidth"], config["network"]["link"]["bandwidth"]),
            ("461Gbps", "26800Gbps", "400Gbps"),
        )
        self.assertNotIn("base", config)

    def test_commands_and_scripts_of_the_documents_that_need_no_checkout_run(self):
        if not list(self.prefix.glob("lib/python*/*-packages")):
            self.skipTest("the Python package was not built")
        done = subprocess.run(
            [str(ROOT / "scripts/readme_blocks"), "--installed", str(self.prefix)],
            cwd=self.elsewhere,
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertGreater(done.stdout.count(": ok,"), 10)
        tutorial = [line for line in done.stdout.splitlines() if line.startswith("docs/tutorial.md")]
        self.assertEqual(
            len(tutorial), len(readme.blocks((ROOT / "docs/tutorial.md").read_text(encoding="utf-8"), "")), tutorial
        )  # to the end

    def program(self, name, *arguments, **environment):
        return subprocess.run(
            [str(self.prefix / "bin" / name), *map(str, arguments)],
            cwd=self.elsewhere,
            capture_output=True,
            text=True,
            check=False,
            env={key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "OSCAR_BUILD")}
            | environment,
        )

    def python(self, code):
        """Runs code of Debian's Python that finds the installed packages, and no program of any other installation."""
        packages = list(self.prefix.glob("lib/python*/*-packages"))
        if not packages:
            self.skipTest("the Python package was not built")
        return subprocess.run(
            ["/usr/bin/python3", "-c", code],
            cwd=self.elsewhere,
            text=True,
            capture_output=True,
            check=False,
            env=os.environ | {"PYTHONPATH": str(packages[0]), "PATH": "/usr/bin:/bin"},
        )

    def test_scripts_of_users_are_programs_that_help_under_their_own_names(self):
        for name in PROGRAMS:
            with self.subTest(name):
                done = self.program(name, "--help")
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertTrue(done.stdout.startswith(f"usage: {name} "), done.stdout)

    def test_two_reports_are_compared(self):
        for size in ("64KiB", "128KiB"):
            self.oscar_sim("run", "synthetic", "--set", f"size={size}", "-o", f"compared-{size}")
        said = self.oscar_sim("compare", "compared-64KiB", "compared-128KiB").stdout
        self.assertRegex(said, r"size +64KiB +128KiB")

    @unittest.skipUnless(
        all(importlib.util.find_spec(module) for module in ("matplotlib", "numpy", "pandas", "seaborn")),
        "python3-matplotlib, python3-numpy, python3-pandas or python3-seaborn is missing",
    )
    def test_ones_own_gradients_become_a_page_and_a_figure(self):
        import numpy

        random = numpy.random.default_rng(1)
        arrays = [random.laplace(0, 0.01, (4, 2000)).astype(numpy.float32) for _ in range(3)]
        numpy.savez(self.elsewhere / "mine.npz", *arrays)
        (self.elsewhere / "mine.yaml").write_text("trace: mine\nranks: 4\niterations: {first: 1, count: 1}\n")
        (self.elsewhere / "rates.yaml").write_text(
            "base: mine.yaml\naxes:\n  - {key: network.link.bandwidth, values: [25Gbps, 100Gbps]}\n"
            "  - {key: quantiser.bits, values: [4, 8]}\n"
        )
        for command in (
            ("trace", "convert", "mine.npz", "mine"),
            ("run", "mine.yaml", "-o", "mine-run"),
            ("sweep", "rates.yaml", "-o", "mine-sweep"),
            ("report", "mine-run", "mine-sweep", "-o", "mine.html"),
        ):
            done = self.oscar_sim(*command)
            self.assertEqual(done.returncode, 0, done.stderr)
        page = (self.elsewhere / "mine.html").read_text(encoding="utf-8")
        self.assertIn("<h2>Sweep mine-sweep</h2>", page)
        if Path("/usr/share/javascript/vega/vega-view.min.js").is_file():  # Debian's libjs-vega
            self.assertTrue((self.prefix / "share/oscar-sim/report/vega/copyright").is_file())
            self.assertIn('vegaPart("vega-view"', page)
            self.assertNotIn("This page has no charts", page)
        drawn = self.program("oscar-plot", "mine-sweep")
        self.assertEqual(drawn.returncode, 0, drawn.stderr)
        self.assertTrue((self.elsewhere / "mine-sweep/figures/over-two-axes.svg").is_file())

    @unittest.skipUnless(
        all(importlib.util.find_spec(module) for module in ("pandas", "torch", "tqdm", "yaml"))
        and Path("/usr/share/datasets/fashion-mnist").is_dir(),
        "python3-pandas, python3-torch, python3-tqdm or dataset-fashion-mnist is missing",
    )
    def test_a_shipped_comparison_is_trained_by_its_name_into_the_current_folder(self):
        if not list(self.prefix.glob("lib/python*/*-packages")):
            self.skipTest("the Python package was not built")
        done = self.program(
            "oscar-train", "lenet-fmnist", "--method", "dense", "--seed", "1", "--steps", "3", "-j", "1"
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        record = json.loads(
            (self.elsewhere / "results/training/lenet-fmnist/dense-seed1.json").read_text(encoding="utf-8")
        )
        self.assertIn(
            "| lenet-fmnist | dense | 1 | ",
            (self.elsewhere / "results/training/SUMMARY.md").read_text(encoding="utf-8"),
        )
        version = self.oscar_sim("--version").stdout.split()[1]
        self.assertEqual(record["made_of"]["sources"], {"oscar_sim": version})  # there are no sources to hash

    @unittest.skipUnless(
        all(importlib.util.find_spec(module) for module in ("torch", "yaml")),
        "python3-torch or python3-yaml is missing",
    )
    def test_a_training_is_captured_and_its_trace_is_run(self):
        done = self.python(CAPTURE)
        self.assertEqual((done.returncode, done.stdout), (0, "captured\n"), done.stderr)
        (self.elsewhere / "captured.yaml").write_text("trace: captured\nranks: 2\nmethods: [fp32, asc]\n")
        done = self.oscar_sim("run", "captured.yaml", "-o", "-")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["trace"]["elements"], 80 * 40 + 40)

    def test_a_users_own_traces_are_not_installed(self):
        self.assertEqual(
            {path.name for path in (self.prefix / "share/oscar-sim/traces").iterdir()},
            {path.name for path in (ROOT / "traces").iterdir() if not path.name.startswith("my-")},
        )

    def test_has_a_manual_page_of_each_command(self):
        pages = self.prefix / "share/man/man1"
        if not pages.is_dir():
            self.skipTest("help2man was missing when it was built (apt install help2man)")
        commands = self.complete("oscar-sim", "")
        self.assertGreater(len(commands), 5)
        self.assertEqual(
            {page.name for page in pages.iterdir()},
            {"oscar-sim.1.gz"}
            | {f"oscar-sim-{command}.1.gz" for command in commands}
            | {f"{program}.1.gz" for program in PROGRAMS},
        )
        self.assertIn(b"oscar-plot \\- figures of a sweep", gzip.decompress((pages / "oscar-plot.1.gz").read_bytes()))
        self.assertIn(
            b"oscar-sim-run \\- run an experiment", gzip.decompress((pages / "oscar-sim-run.1.gz").read_bytes())
        )

    def complete(self, *words):
        script = self.prefix / "share/bash-completion/completions/oscar-sim"
        done = subprocess.run(
            ["bash", "-c", TRY_COMPLETION, "bash", str(script), *words],
            cwd=self.elsewhere,
            check=True,
            text=True,
            capture_output=True,
            env=os.environ | {"PATH": f"{self.prefix}/bin:{os.environ['PATH']}"},
        )
        return done.stdout.split()

    def test_completes_commands_options_and_names_of_configurations(self):
        self.assertEqual(self.complete("oscar-sim", "ru"), ["run"])
        self.assertEqual(self.complete("oscar-sim", "trace", "gen"), ["generate"])
        self.assertEqual(self.complete("oscar-sim", "trace", "generate", "--sta"), ["--stage"])
        self.assertEqual(self.complete("oscar-sim", "run", "demo", "--out"), ["--output"])
        self.assertEqual(self.complete("oscar-sim", "run", "dem"), ["demo"])
        self.assertEqual(self.complete("oscar-sim", "sweep", "comp"), ["compression"])
        self.assertEqual(self.complete("oscar-sim", "describe", "topo"), ["topology"])

    def test_the_python_package_finds_the_program_beside_it(self):
        code = (
            "import oscar_sim; report = oscar_sim.simulate({'trace': 'traces/lenet-fmnist', 'methods': ['fp32']}); "
            "print(report['methods'][0]['name'])"
        )
        done = self.python(code)
        self.assertEqual((done.stdout, done.stderr), ("fp32\n", ""))


if __name__ == "__main__":
    unittest.main()
