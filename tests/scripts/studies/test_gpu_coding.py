"""scripts/gpu_coding: each place of coding is a line of its table, and tables are filled without a run."""

import contextlib
import io
import shutil
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import yaml

from tests.scripts.loading import script

ROOT = Path(__file__).resolve().parents[3]
gpu_coding = script("gpu_coding")
from oscar_summary import records, runs  # noqa: E402

BASE = """
experiment: small
iterations: {first: 1, count: 1}
ranks: 4
methods: [bf16, fixed_point, rans]
gpu: {gradients: codes, coding: {encode: [{}], decode: [{}]}}
"""
VALUES = 4096


class GpuCoding(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "base.yaml").write_text(BASE, encoding="utf-8")
        sweep = yaml.safe_load((ROOT / "configs/sweeps/gpu-coding.yaml").read_text(encoding="utf-8"))
        sweep["base"] = str(self.folder / "base.yaml")
        with contextlib.redirect_stdout(io.StringIO()):
            trace = runs.generated(runs.PROGRAM, self.folder, VALUES)
        others = [axis for axis in sweep["axes"] if "zip" in axis]
        new = {"trace": [str(trace)], "scale": [16], "network.link.bandwidth": ["10Gbps", "100Gbps"]}
        axes = [{"key": key, "values": values} for key, values in new.items()]
        sweep["axes"] = [*axes[:2], *others, *axes[2:]]
        (self.folder / "gpu-coding.yaml").write_text(yaml.safe_dump(sweep), encoding="utf-8")

    def run_script(self, *arguments):
        sweep = mock.patch.object(gpu_coding, "SWEEP", self.folder / "gpu-coding.yaml")
        size = mock.patch.object(gpu_coding, "LARGE_VALUES", VALUES)
        with sweep, size, contextlib.redirect_stdout(io.StringIO()):
            gpu_coding.main(["-o", str(self.folder / "out"), *arguments])

    def test_each_link_and_place_is_a_line(self):
        self.run_script()
        rows = records.read(self.folder / "out/gpu-coding.csv")[1]
        self.assertEqual(len(rows), 3 * 2 * 3)
        self.assertEqual({row["trace"] for row in rows}, {f"generated-{VALUES}"})
        page = (self.folder / "out/SUMMARY.md").read_text(encoding="utf-8")
        places = [["NIC", "NIC"], ["NIC", "GPU"], ["GPU", "GPU"]]
        for size in ("25", "256"):
            lines = [line.split(" | ")[:4] for line in page.splitlines() if line.startswith(f"| {size} |")]
            self.assertEqual(lines, [[f"| {size}", rate, *place] for rate in ("10", "100") for place in places])

    def test_calls_take_their_time_whatever_the_link(self):
        self.run_script()
        rows = records.read(self.folder / "out/large.csv")[1]
        calls = {
            (row["network.link.bandwidth"], row["engine.place"]): float(row["critical_path.engine_ps"])
            for row in rows
            if row["method"] == "rans"
        }
        # 64 x 4096 values on 4 ranks are calls of fewer values than 1,048,576, which take 1.05 ms: four that encode,
        # and four at least that decode.
        for rate in ("10Gbps", "100Gbps"):
            self.assertGreaterEqual(calls[rate, "gpu"], 8 * 1_048_576_000)
            self.assertLess(calls[rate, "nic"], 1_000_000_000)

    def test_tables_are_filled_without_a_run(self):
        self.run_script()
        page = self.folder / "out/SUMMARY.md"
        text = page.read_text(encoding="utf-8")
        page.unlink()
        shutil.rmtree(self.folder / "out/sweeps")
        with mock.patch.object(runs, "sweep", side_effect=AssertionError):
            self.run_script("--from-csv")
        self.assertEqual(page.read_text(encoding="utf-8"), text)


if __name__ == "__main__":
    unittest.main()
