"""Pages of results: each shows the figures that are there, and no table too wide to read."""

import tempfile
import unittest
from pathlib import Path

from tests.scripts.figures.drawn import ROOT


class Page(unittest.TestCase):
    def test_the_shipped_page_of_trainings_and_its_files_are_made_of_the_shipped_records(self):
        from oscar_summary import page
        from oscar_training import summary

        shipped = ROOT / "results/training"
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for path in (*shipped.glob("*.png"), *(path for path in shipped.iterdir() if path.is_dir())):
                (folder / path.name).symlink_to(path)
            summary.write(folder)
            page.fill(shipped, folder)
            for file in (f"{name}.csv" for name in summary.COLUMNS):
                self.assertTrue((folder / file).read_bytes() == (shipped / file).read_bytes(), file)
            said = (shipped / "SUMMARY.md").read_text(encoding="utf-8")
            elsewhere = (folder / "SUMMARY.md").read_text(encoding="utf-8")
        self.assertTrue(elsewhere == page.of_any_figures(said))
        about_shipped = "**Records from before 26 November 2026 are void, and none is here any more**"
        self.assertIn(about_shipped, said)
        self.assertNotIn(about_shipped, elsewhere)

    def test_no_table_of_trainings_and_cases_is_wider_than_readers_can_take_in(self):
        for name, most in (("training", 10), ("validation", 9)):
            page = (ROOT / f"results/{name}/SUMMARY.md").read_text(encoding="utf-8")
            self.assertLessEqual(
                max(line.count("|") - 1 for line in page.splitlines() if line.startswith("|")), most, name
            )

    def test_exact_cases_are_folded_and_counted(self):
        page = (ROOT / "results/validation/SUMMARY.md").read_text(encoding="utf-8")
        shown, folded = page.split("<details><summary>")
        folded = folded.split("</details>")[0]
        self.assertNotIn("| exact |", shown)
        self.assertEqual(int(folded.split()[0]), folded.count("| exact |"))

    def test_every_figure_that_a_page_shows_is_there_in_both_forms_and_no_other_is(self):
        for page in (ROOT / "results").glob("*/SUMMARY.md"):
            shown = {
                part.split(")")[0]
                for part in page.read_text(encoding="utf-8").split("](")
                if part.split(")")[0].endswith(".png")
            }
            self.assertEqual(shown, {file.name for file in page.parent.glob("*.png")}, page)
            self.assertEqual(
                {Path(name).stem for name in shown}, {file.stem for file in page.parent.glob("*.svg")}, page
            )


if __name__ == "__main__":
    unittest.main()
