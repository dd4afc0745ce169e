"""Figures are made anew of records and reports, without a run."""

import contextlib
import io
import json
import re
import shutil
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from tests.scripts.figures.drawn import ROOT, Figures, traffic
from tests.scripts.loading import script
from oscar_summary import records  # noqa: E402

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
        """Whatever program the shipped ones are of, but for one that is said to be of another."""
        shutil.copytree(ROOT / "results/training/gpt-kjv-rate", self.folder / "gpt-kjv-rate")
        train = script("train")
        from oscar_training import stale, summary

        another = "top-k 10x-seed1.json"
        reasons = lambda jobs, **_: ["another" if path.name == another else "" for *_, path in jobs]  # noqa: E731
        with mock.patch.object(stale, "reasons", reasons), contextlib.redirect_stderr(io.StringIO()) as said:
            files = self.run_main(train, ROOT / "configs/training/gpt-kjv-rate.yaml", "--from-records")
        self.assertEqual(said.getvalue(), f"train: gpt-kjv-rate/{another} is left out: another\n")
        methods = {row["method"] for row in records.read(self.folder / "methods.csv")[1]}
        self.assertEqual(methods, {"dense", "count sketch 2.5x", "oscar-sw packed 8 bit"})
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
