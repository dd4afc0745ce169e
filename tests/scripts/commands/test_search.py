"""scripts/search: the best point of a grid found by some of its points, the same for a seed; wrong input in words."""

import csv
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "python"))
from oscar_search import figures
from oscar_search.space import Space, as_text
from oscar_summary import command

PROGRAM = Path(os.environ.get("OSCAR_BUILD", ROOT / "build/release")) / "oscar-sim"
HAS_OPTUNA = importlib.util.find_spec("optuna") is not None
SWEEP = """base: {payload: synthetic, size: 1MiB, methods: [fp32, bf16]}
set: {network: {link: {propagation: 200ns}}}
axes:
  - {key: ranks, range: {from: 2, to: 8, factor: 2}}
  - {key: network.link.bandwidth, range: {from: 50Gbps, to: 400Gbps, step: 50Gbps}}
  - zip:
      - {key: collective.slices, values: [1, 2, 4]}
      - {key: network.packet, values: [1KiB, 2KiB, 4KiB]}
"""


class Search(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, text=SWEEP):
        path = self.folder / "grid.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    def search(self, *arguments, text=SWEEP, output="out"):
        command_line = [ROOT / "scripts/search", self.write(text), "--program", PROGRAM, "-o", self.folder / output]
        return subprocess.run([*command_line, *arguments], capture_output=True, text=True, check=False)

    def figures_in(self, name):
        """The times of bf16 in a CSV file, in ps."""
        with open(self.folder / name, newline="", encoding="utf-8") as file:
            return [int(row["bf16.allreduce_ps"]) for row in csv.DictReader(file)]

    def test_a_grid_has_the_ranges_and_zips_of_sweeps(self):
        space = Space(self.write())
        self.assertEqual([len(axis) for axis in space.axes], [3, 8, 3])
        point = space.settings((2, 1, 0))
        self.assertEqual(point["ranks"], 8)
        self.assertEqual(point["network.link.bandwidth"], "100Gbps")
        self.assertEqual((point["collective.slices"], point["network.packet"]), (1, "1KiB"))
        self.assertEqual(as_text({"kind": "asc", "history": 2}), "{history: 2, kind: asc}")

    @unittest.skipUnless(HAS_OPTUNA, "Python module optuna is missing: python3-optuna")
    def test_two_of_three_searches_find_one_of_the_best_points_of_the_whole_grid(self):
        """Which points a seed tries depends on Optuna's version."""
        subprocess.run(
            [PROGRAM, "sweep", self.write(), "-o", self.folder / "all"],
            capture_output=True,
            check=True,
            cwd=self.folder,
        )
        times = sorted(self.figures_in("all/points.csv"))
        self.assertEqual(len(times), 72)
        ranks = []
        for seed in range(3):
            done = self.search("--figure", "bf16.allreduce_ps", "--trials", "24", "--seed", str(seed))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("of 72 points tried; the best:", done.stdout)
            tried = self.figures_in("out/trials.csv")
            self.assertLessEqual(len(tried), 24)
            ranks.append(times.index(min(tried)))
        self.assertLess(sorted(ranks)[1], 5, ranks)

    @unittest.skipUnless(HAS_OPTUNA, "Python module optuna is missing: python3-optuna")
    def test_a_seed_tries_the_same_points_again(self):
        for output in ("out", "again"):
            done = self.search("--figure", "bf16.allreduce_ps", "--trials", "12", output=output)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.folder / "again/trials.csv").read_bytes(), (self.folder / "out/trials.csv").read_bytes())

    @unittest.skipUnless(HAS_OPTUNA, "Python module optuna is missing: python3-optuna")
    def test_of_two_figures_no_point_of_the_front_is_better_in_both(self):
        done = self.search("--figure", "fp32.allreduce_ps,max:fp32.link_utilisation", "--trials", "15")
        self.assertEqual(done.returncode, 0, done.stderr)
        front = []
        for line in done.stdout.splitlines():
            if line.startswith("  fp32"):
                told = line.split(": ")[0].split(", ")
                front.append(tuple(float(figure.split()[-1]) for figure in told))
        self.assertGreater(len(front), 0)
        self.assertEqual(sorted(front), sorted(front, key=lambda pair: pair[1]))  # slower, and busier

    @unittest.skipUnless(HAS_OPTUNA, "Python module optuna is missing: python3-optuna")
    def test_the_error_of_a_point_stands_beside_its_figure(self):
        text = "base: demo\nset: {fidelity: message, methods: [asc]}\naxes: [{key: quantiser.bits, values: [4, 8]}]\n"
        done = self.search("--figure", "asc.allreduce_ps", "--trials", "4", text=text)
        self.assertEqual(done.returncode, 0, done.stderr)
        errors = dict(re.findall(r"L2 error ([0-9.e-]+): .*quantiser.bits=(\d)", done.stdout))
        self.assertEqual(list(errors.values()), ["4", "8"])  # 4 bits are faster
        self.assertGreater(*map(float, errors))  # and lose more

    @unittest.skipUnless(HAS_OPTUNA, "Python module optuna is missing: python3-optuna")
    def test_a_wrong_key_of_the_grid_is_the_message_of_the_program(self):
        done = self.search("--figure", "fp32.allreduce_ps", text=SWEEP.replace("network.packet", "network.pakcet"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("network.pakcet: no such parameter", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_wrong_input_says_how_to_write_it(self):
        for text, expected in (
            ("axes: [", r"grid.yaml:1:8: is no YAML: .*; name a sweep file"),
            ("base: demo\n", "has no base and axes"),
            ("base: demo\naxes: [3]\n", "axes.0: is no map"),
            ("base: demo\naxes: [{key: ranks}]\n", "axes.0: needs key, and values or range"),
            ("base: demo\naxes: [{key: r, range: {from: 4, to: 2, step: 1}}]\n", "is no ascending range"),
            ("base: demo\naxes: [{key: r, range: {from: 4us, to: 8ns, step: 1us}}]\n", "is no ascending range"),
            ("base: demo\naxes: [{key: r, range: {to: 2}}]\n", "axes.0.range: write it like"),
            ("base: demo\naxes: [{zip: [{key: a, values: [1]}, {key: b, values: [1, 2]}]}]\n", "differ in length"),
            ("base: demo\naxes: 3\n", "has no base and axes"),
            ("base: [1]\naxes: [{key: a, values: [1]}]\n", "base is no name and no map"),
            ("base: demo\nset: [1]\naxes: [{key: a, values: [1]}]\n", "set is no map of keys"),
            ("base: demo\naxes: [{key: [a], values: [1]}]\n", "axes.0: needs key, and values or range"),
            ("base: demo\naxes: [{key: a, values: text}]\n", "axes.0: needs key, and values or range"),
            ("base: demo\naxes: [{zip: 3}]\n", "axes.0.zip: is no list of axes"),
            ("base: demo\naxes: [{key: r, range: {from: 1, to: 1e99999, factor: 2}}]\n", "has a number beyond 10.30"),
        ):
            with self.assertRaisesRegex(command.InputError, expected):
                Space(self.write(text))
        for text, expected in (
            ("allreduce_ps", "write METHOD.FIGURE"),
            ("most:asc.cosine", "write METHOD.FIGURE"),
            ("a.b,a.c,a.d", "name one figure, or two"),
        ):
            with self.assertRaisesRegex(command.InputError, expected):
                figures.read(text)
        report = {"methods": [{"name": "asc", "allreduce_ps": 3, "step": {"step_ps": 5}, "sums": True}]}
        self.assertEqual([f.of(report) for f in figures.read("asc.allreduce_ps,asc.step.step_ps")], [3, 5])
        for text, expected in (("rans.allreduce_ps", "there are asc"), ("asc.sums", "choose one of allreduce_ps")):
            with self.assertRaisesRegex(command.InputError, expected):
                figures.read(text)[0].of(report)


if __name__ == "__main__":
    unittest.main()
