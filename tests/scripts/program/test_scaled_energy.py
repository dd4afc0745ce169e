"""Energies of a scaled experiment are those of what it stands for: a captured bucket, run without scale."""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy
import yaml

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = Path(os.environ.get("OSCAR_BUILD", ROOT / "build/release")).resolve() / "oscar-sim"
WINDOW = ROOT / "traces/resnet50-window"
SCALE = 4
ENERGIES = ("total", "codec", "memory", "leakage", "dma", "link", "reduce")
CONFIGURATION = """
base: {root}/configs/experiments/co-design.yaml
trace: {trace}
scale: {scale}
payload: size_only
methods: [fp32, fixed_point, asc]
"""


def technology():
    """That of the file, as the value of a key."""
    text = (ROOT / "results/rtl/technology-asap7.yaml").read_text(encoding="utf-8")
    return json.dumps(yaml.safe_load(text)["engine"]["technology"])


class ScaledEnergy(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def oscar_sim(self, *arguments):
        subprocess.run([PROGRAM, *map(str, arguments)], check=True, capture_output=True)

    def quarter(self):
        """The second quarter of the captured bucket as a trace."""
        arrays = {}
        for i, file in enumerate(sorted(WINDOW.glob("iteration-*.npy"))):
            values = numpy.load(file)
            values = values.reshape(values.shape[0], -1)
            size = values.shape[1] // SCALE
            arrays[f"iteration{i}"] = values[:, size : 2 * size].astype(numpy.float32)
        numpy.savez(self.folder / "quarter.npz", **arrays)
        self.oscar_sim("trace", "convert", self.folder / "quarter.npz", self.folder / "quarter")
        return self.folder / "quarter"

    def methods_of(self, trace, scale):
        text = CONFIGURATION.format(root=ROOT, trace=trace, scale=scale)
        file = self.folder / f"scale{scale}.yaml"
        file.write_text(text, encoding="utf-8")
        self.oscar_sim("run", file, "-q", "--set", f"engine.technology={technology()}", "-o", self.folder / f"{scale}")
        report = json.loads((self.folder / f"{scale}/report.json").read_text(encoding="utf-8"))
        return {method["name"]: method for method in report["methods"]}

    def test_a_quarter_with_scale_4_takes_the_energy_of_the_whole(self):
        whole = self.methods_of(WINDOW, 1)
        quarter = self.methods_of(self.quarter(), SCALE)
        # fp32 sends as many bytes whatever the values are; packets and slices divide evenly.
        for name in ("total", "dma", "link", "reduce"):
            key = f"energy_{name}_pj"
            self.assertAlmostEqual(quarter["fp32"][key] / whole["fp32"][key], 1, delta=0.02, msg=name)
        # Coded sizes are those of this quarter of the bucket, and more of its blocks end a chunk.
        for method in ("fixed_point", "asc"):
            for name in ENERGIES:
                ours, theirs = (of[method][f"energy_{name}_pj"] for of in (quarter, whole))
                self.assertAlmostEqual(ours, theirs, delta=0.2 * theirs, msg=f"{method} {name}")
        # The engine that the small one stands for has the tables of the small one, and the same lanes and buffers.
        self.assertAlmostEqual(quarter["asc"]["engine_area_um2"] / whole["asc"]["engine_area_um2"], 1, delta=0.001)


if __name__ == "__main__":
    unittest.main()
