"""scripts/saturation: the tables that it makes of reports."""

import unittest
from pathlib import Path

from tests.scripts.loading import script

saturation = script("saturation")
ROOT = Path(__file__).resolve().parents[2]


def report(zero_load=18.0, bound=0.5, load=0.4):
    """A report of two points, the second beyond saturation."""
    points = [
        {"offered": offered, "accepted": 0.2, "mean_latency": latency, "p99_latency": latency}
        for offered, latency in ((0.05, 18.0), (0.2, 18.2), (0.3, 18.7), (0.4, 22.6), (0.9, None))
    ]
    return {
        "program_version": "1",
        "bounds": {"zero_load_latency": zero_load, "throughput": bound},
        "points": points,
        "saturation": {"load": load + 0.01, "accepted": load, "at_full_load": 0.3},
        "host": {"flit_hops": 2e6, "cpu_s": 1.0},
    }


class Tables(unittest.TestCase):
    def setUp(self):
        self.reports = {config: report() for config in saturation.PUBLISHED}

    def test_each_published_number_has_a_line_with_the_error_of_ours(self):
        lines = saturation.comparison(self.reports).splitlines()[2:]
        self.assertEqual(len(lines), sum(map(len, saturation.PUBLISHED.values())))
        self.assertIn("| `mesh8-uniform` | saturation | 0.5 | 0.4 | -20.0 % |", "\n".join(lines))
        self.assertIn("| `mesh4-tornado` | latency at 0.4 | 22.6 | 22.6 | +0.0 % |", "\n".join(lines))

    def test_each_figure_is_where_the_report_has_it(self):
        for name, value in (
            ("zero load", 17.5),
            ("saturation", 0.25),
            ("accepted at full load", 0.3),
            ("latency at 0.3", 18.7),
        ):
            self.assertEqual(saturation.figure_of(report(zero_load=17.5, load=0.25), name), value, name)

    def test_saturation_is_a_share_of_the_bound(self):
        line = saturation.saturations({"one": report(bound=0.8)}).splitlines()[2]
        self.assertEqual(line, "| `one` | 18.00 | 0.8000 | 0.4100 | 0.4000 | 50.0 % | 0.3000 |")

    def test_a_load_beyond_saturation_has_no_latency(self):
        self.assertEqual(saturation.latencies(report()).splitlines()[-1], "| 0.9 | 0.2000 | - | - |")

    def test_the_summary_has_a_table_for_every_configuration(self):
        text = saturation.summary(self.reports)
        for config in self.reports:
            self.assertIn(f"## `{config}`", text)

    def test_published_numbers_are_of_configurations_that_are_shipped(self):
        shipped = {file.stem for file in (ROOT / "configs/traffic").glob("*.yaml")}
        self.assertLessEqual(set(saturation.PUBLISHED), shipped)


if __name__ == "__main__":
    unittest.main()
