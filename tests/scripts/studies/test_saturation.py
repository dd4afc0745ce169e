"""scripts/saturation: the rows that it makes of reports, and its page of them."""

import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path

from tests.scripts.loading import script

saturation = script("saturation")
from oscar_summary import records, tables  # noqa: E402

ROOT = Path(__file__).resolve().parents[3]


def report(zero_load=18.0, bound=0.5, load=0.4):
    """A report of five points, the last beyond saturation."""
    points = [
        {"offered": offered, "created": 1, "accepted": 0.2, "mean_latency": latency, "p99_latency": latency}
        for offered, latency in ((0.05, 18.0), (0.2, 18.2), (0.3, 18.7), (0.4, 22.6), (0.9, None))
    ]
    return {
        "program_version": "1.2",
        "bounds": {"zero_load_latency": zero_load, "throughput": bound},
        "points": points,
        "saturation": {"load": load + 0.01, "accepted": load, "at_full_load": 0.3},
        "host": {"flit_hops": 2000000, "cpu_s": 1.0},
    }


class Tables(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.reports = {config: report() for config, *_ in saturation.PUBLISHED}

    def lines(self, table):
        """The lines of a table of the page as made of these reports, without its head."""
        saturation.write(self.reports, self.folder)
        described = tables.described(saturation.RESULTS)
        return tables.made(described["tables"][table], self.folder, described["names"]).splitlines()[2:]

    def test_each_published_number_has_a_line_with_the_error_of_ours(self):
        lines = self.lines("published")
        self.assertEqual(len(lines), len(saturation.PUBLISHED))
        self.assertIn("| `mesh8-uniform` | saturation | 0.5 | 0.4 | -20.0 % | " + saturation.BOUND + " |", lines)
        self.assertIn("| `mesh4-tornado` | latency at 0.4 | 22.6 | 22.6 | +0.0 % | BookSim 2, same router |", lines)

    def test_each_figure_is_where_the_report_has_it(self):
        self.reports["mesh4-tornado"] = report(zero_load=17.5, load=0.25)
        ours = {(row["configuration"], row["figure"]): row["ours"] for row in saturation.compared(self.reports)}
        for name, value in (
            ("zero load", 17.5),
            ("saturation", 0.25),
            ("accepted at full load", 0.3),
            ("latency at 0.3", 18.7),
        ):
            self.assertEqual(ours["mesh4-tornado", name], value, name)

    def test_saturation_is_a_share_of_the_bound(self):
        self.reports = {"mesh4-tornado": report(bound=0.8), **self.reports, "one": report(bound=0.8)}
        self.assertEqual(
            self.lines("configurations")[-1], "| `one` | 18.00 | 0.8000 | 0.4100 | 0.4000 | 50.0 % | 0.3000 |"
        )

    def test_a_load_beyond_saturation_has_no_latency(self):
        lines = self.lines("latency-mesh4-tornado")
        self.assertEqual((len(lines), lines[0]), (5, "| 0.05 | 0.2000 | 18 | 18 |"))
        self.assertEqual(lines[-1], "| 0.9 | 0.2000 | - | - |")

    def test_the_files_say_what_made_them(self):
        self.lines("published")
        for name in ("saturation", "published", "latency"):
            self.assertEqual(records.read(self.folder / f"{name}.csv")[0], "1.2")

    def test_the_page_is_filled_again_of_the_files_alone(self):
        saturation.write(self.reports, self.folder)
        with contextlib.redirect_stdout(io.StringIO()) as said:
            saturation.main(["--from-csv", "-o", str(self.folder)])
        self.assertEqual(said.getvalue(), f"{self.folder / 'SUMMARY.md'}\n")
        self.assertIn("| 0.4 | 0.2000 | 22.6 | 22.6 |", (self.folder / "SUMMARY.md").read_text(encoding="utf-8"))
        self.assertEqual(list(self.folder.glob("*.svg")), [])

    def test_a_report_is_read_where_its_run_left_it(self):
        (self.folder / "report.json").write_text(json.dumps(report()), encoding="utf-8")
        self.assertEqual(saturation.read(self.folder), report())


class Shipped(unittest.TestCase):
    CONFIGS = {file.stem for file in (ROOT / "configs/traffic").glob("*.yaml")}

    def test_published_numbers_are_of_configurations_that_are_shipped(self):
        self.assertLessEqual({config for config, *_ in saturation.PUBLISHED}, self.CONFIGS)

    def test_the_page_has_a_table_for_every_configuration_and_load(self):
        found = tables.described(saturation.RESULTS)["tables"]
        self.assertEqual({name[8:] for name in found if name.startswith("latency-")}, self.CONFIGS)
        for name, table in found.items():
            if name.startswith("latency-"):
                self.assertEqual(table["where"], f"configuration == '{name[8:]}'")


if __name__ == "__main__":
    unittest.main()
