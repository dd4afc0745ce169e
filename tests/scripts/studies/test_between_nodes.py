"""scripts/between_nodes: sweeps become rows and tables, and points that are there are not run again."""

import contextlib
import io
import shutil
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from tests.scripts.loading import script

between_nodes = script("between_nodes")
from oscar_summary import records, runs  # noqa: E402

SWEEP = """
base: BASE
set: {payload: synthetic, size: 64KiB, ranks: 8, methods: [bf16, fixed_point], network.topology: TOPOLOGY}
axes:
"""
NODES = "{kind: hierarchical, island: 4}"
AXES = {
    "between-nodes": "  - {key: ranks, values: [8, 16]}\n  - {key: network.link.bandwidth, values: [25Gbps, 50Gbps]}\n",
    "shared-nics": "  - {key: ranks, values: [8, 16]}\n  - {key: network.topology.gpus_per_nic, values: [1, 2]}\n"
    "  - {key: network.link.bandwidth, values: [200Gbps, 400Gbps]}\n",
}


class BetweenNodes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        text = "experiment: small\ngpu: {gradients: codes, island_port: {}}\n"
        (self.folder / "base.yaml").write_text(text, encoding="utf-8")
        for name, axes in AXES.items():
            text = SWEEP.replace("BASE", str(self.folder / "base.yaml")).replace("TOPOLOGY", NODES) + axes
            (self.folder / f"{name}.yaml").write_text(text, encoding="utf-8")

    def run_script(self, *arguments):
        with mock.patch.object(between_nodes, "SWEEPS", self.folder), contextlib.redirect_stdout(io.StringIO()):
            between_nodes.main(["-o", str(self.folder / "out"), *arguments])

    def test_each_point_and_method_is_a_row_and_each_point_a_line(self):
        self.run_script()
        rows = records.read(self.folder / "out/between-nodes.csv")[1]
        self.assertEqual(
            [(row["ranks"], row["network.link.bandwidth"], row["method"]) for row in rows],
            [(ranks, f"{rate}Gbps", m) for ranks in (8, 16) for rate in (25, 50) for m in ("bf16", "fixed_point")],
        )
        page = (self.folder / "out/SUMMARY.md").read_text(encoding="utf-8")
        lines = [line.split(" | ")[:2] for line in page.splitlines() if line.startswith("| ") and "nodes" not in line]
        self.assertEqual(lines[:4], [["| 1", "25"], ["| 1", "50"], ["| 2", "25"], ["| 2", "50"]])
        nics = [[f"| {nodes}", str(nics)] for nodes in (1, 2) for nics in (4, 8) for _ in (200, 400)]
        self.assertEqual(lines[4:], nics)

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
