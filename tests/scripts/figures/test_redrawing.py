"""Figures are made anew of records and reports, without a run."""

import contextlib
import io
import json
import re
import shutil
import tempfile
import unittest
from pathlib import Path

from tests.scripts.figures.drawn import ROOT, Figures, traffic
from tests.scripts.loading import script

saturation = script("saturation")


def title_of(svg):
    """The comments of an SVG file, in which Matplotlib keeps its texts."""
    return " ".join(re.findall("<!-- (.*?) -->", svg.read_text(encoding="utf-8")))


class Redrawing(Figures):
    """Figures are made anew of what is there, without a run."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def run_main(self, module, *arguments):
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertIn(module.main([*map(str, arguments), "-o", str(self.folder)]), (0, None))
        return {str(file.relative_to(self.folder)) for file in self.folder.iterdir() if file.is_file()}

    def test_of_trainings_from_their_records(self):
        shutil.copytree(ROOT / "results/training/gpt-kjv-rate", self.folder / "gpt-kjv-rate")
        files = self.run_main(script("train"), ROOT / "configs/training/gpt-kjv-rate.yaml", "--from-records")
        from oscar_training import summary

        tables = {f"{name}.csv" for name in summary.COLUMNS}
        self.assertEqual(files, {"SUMMARY.md", "gpt-kjv-rate.png", "gpt-kjv-rate.svg"} | tables)
        self.assertIn(
            "gpt-kjv: 8 ranks (star), links of 25.6 Gbit/s, learning rate 0.006, one seed",
            title_of(self.folder / "gpt-kjv-rate.svg"),
        )

    def test_of_saturation_from_its_reports(self):
        for config in saturation.CONFIGS.glob("*.yaml"):
            report = traffic(8, config.stem, 1)
            report["points"] = [
                {"offered": load, "accepted": load, "mean_latency": 18.0, "p99_latency": 20}
                for load in (0.05, 0.2, 0.3, 0.4)
            ]
            report |= {
                "program_version": "1",
                "host": {"flit_hops": 1e6, "cpu_s": 1},
                "saturation": {"load": 0.4, "accepted": 0.4, "at_full_load": 0.4},
                "bounds": {"throughput": 0.5, "zero_load_latency": 18},
            }
            (self.folder / config.stem).mkdir()
            (self.folder / config.stem / "report.json").write_text(json.dumps(report), encoding="utf-8")
        found = self.run_main(saturation, "--from-reports")
        self.assertEqual(
            found, {"SUMMARY.md", "latency.csv", "published.csv", "saturation.csv", "saturation.png", "saturation.svg"}
        )


if __name__ == "__main__":
    unittest.main()
