"""scripts/oscar_hw: what it draws and fills of its CSV files (tables: test_tables.py)."""

import contextlib
import io
import shutil
import tempfile
import unittest
from pathlib import Path

from tests.scripts.loading import script

oscar_hw = script("oscar_hw")


class Script(unittest.TestCase):
    def test_csv_files_in_another_folder_give_a_page_there(self):
        with tempfile.TemporaryDirectory() as name:
            for file in oscar_hw.RESULTS.glob("*.csv"):
                shutil.copy(file, name)
            with contextlib.redirect_stdout(io.StringIO()) as said:
                self.assertEqual(oscar_hw.main(["--from-csv", "-o", name]), 0)
            self.assertEqual(said.getvalue(), f"{name}/SUMMARY.md\n")
            page, shipped = (
                (folder / "SUMMARY.md").read_text(encoding="utf-8") for folder in (Path(name), oscar_hw.RESULTS)
            )
            self.assertIn(
                "<!-- table buckets -->\nNot run: there is no ../where-it-pays/true-size.csv.\n<!-- end -->", page
            )
            self.assertEqual(page[page.index("## At true size") :], shipped[shipped.index("## At true size") :])
            for figure in ("ablation", "variants"):
                self.assertGreater((Path(name) / f"{figure}.png").stat().st_size, 1000)

    def test_speed_ups_of_the_ablation_are_over_the_same_machine_and_schedule(self):
        rows = oscar_hw.ablation(oscar_hw.RESULTS)
        self.assertTrue(all(row["speedup.fp32"] == 1 for row in rows if row["method"] == "fp32"))
        self.assertEqual({row["collective.issue"] for row in rows}, {"lock_step", "dependency"})

    def test_a_machine_is_told_in_words(self):
        self.assertEqual(oscar_hw.machine_words("{lanes: 64, clock: 1GHz}", "1Gbps"), "64 lanes at 1 GHz, 1 Gbit/s")
        self.assertEqual(
            oscar_hw.machine_words("{lanes: 64, clock: 100GHz}", "400Mbps"),
            "64 lanes at 100 GHz (idealised), 400 Mbit/s",
        )


if __name__ == "__main__":
    unittest.main()
