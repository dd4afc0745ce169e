"""The notebooks of docs run as they are, from top to bottom, and say what is true."""

import importlib.util
import os
import re
import sys
import unittest
from pathlib import Path
from types import SimpleNamespace

ROOT = Path(__file__).resolve().parents[3]
BUILD = ROOT / os.environ.get("OSCAR_BUILD", "build/release")
MISSING = [
    package
    for module, package in (
        ("nbclient", "python3-nbclient"),
        ("nbformat", "python3-nbformat"),
        ("ipykernel", "python3-ipykernel"),
        ("pandas", "python3-pandas"),
        ("matplotlib", "python3-matplotlib"),
    )
    if importlib.util.find_spec(module) is None
]
sys.path.insert(0, str(ROOT / "python"))
from oscar_docs import notebook  # noqa: E402


def cell(kind, source, *outputs):
    return SimpleNamespace(cell_type=kind, source=source, outputs=outputs)


class Page(unittest.TestCase):
    FIGURE = {"data": {"image/png": "AAEC", "text/plain": "<Figure>"}}

    def test_shows_words_code_texts_and_the_figure(self):
        cells = [
            cell("markdown", "# Title"),
            cell("code", "print(1)", {"text": "1\n"}, {"data": {"text/plain": "'a'"}}),
            cell("code", "plot()", self.FIGURE),
        ]
        text, figure = notebook.page(SimpleNamespace(cells=cells), "n.ipynb", "f.png")
        self.assertEqual(
            text,
            f"# Title\n\n{notebook.NOTE.format(link='n.ipynb')}\n\n```py\nprint(1)\n```\n\n```text\n1\n```\n\n```text\n"
            "'a'\n```\n\n```py\nplot()\n```\n\n![The figure that the cell above draws](f.png)\n",
        )
        self.assertEqual(figure, b"\0\1\2")

    def test_shows_a_table_as_one_of_markdown(self):
        table = (
            "<table><thead><tr style='x'><th></th><th>time</th></tr><tr><th>method</th><th></th></tr></thead>"
            "<tbody><tr><th>fp32</th><td>97</td></tr></tbody></table>"
        )
        cells = [
            cell("markdown", "# Title"),
            cell("code", "table", {"data": {"text/html": table, "text/plain": "no"}}),
            cell("code", "plot()", self.FIGURE),
        ]
        self.assertIn(
            "| method | time |\n| --- | ---: |\n| fp32 | 97 |\n",
            notebook.page(SimpleNamespace(cells=cells), "n.ipynb", "f.png")[0],
        )

    def test_has_a_place_for_one_figure(self):
        with self.assertRaisesRegex(ValueError, "draws 0 figures"):
            notebook.page(SimpleNamespace(cells=[cell("markdown", "# Title")]), "n.ipynb", "f.png")

    def test_agrees_with_one_whose_numbers_differ_by_rounding_alone(self):
        held = "33 of 32768 codes, 0.2500 and 26.114"
        self.assertTrue(notebook.agree(held, "34 of 32768 codes, 0.2502 and 26.3"))
        for other in (
            "33 of 32768 code, 0.2500 and 26.114",
            "33 of 32768 codes, 0.2600 and 26.114",
            "33 of 34000 codes, 0.2500 and 26.114",
        ):
            self.assertFalse(notebook.agree(held, other), other)


@unittest.skipIf(
    MISSING, f"{', '.join(MISSING)} missing (scripts/setup test-packages.txt plot-packages.txt installs them)"
)
class FirstSteps(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        import nbformat

        cls.as_shipped = nbformat.read(ROOT / "docs/notebooks/first-steps.ipynb", as_version=4)
        cls.executed = notebook.executed(ROOT / "docs/notebooks/first-steps.ipynb", BUILD / "python")

    def texts(self):
        """What the code cells print or show, one text a cell."""
        return [
            "".join(output.get("text", "") or output.get("data", {}).get("text/plain", "") for output in cell.outputs)
            for cell in self.executed.cells
            if cell.cell_type == "code"
        ]

    def test_it_gives_codes_bytes_a_report_a_table_and_a_figure(self):
        version, shape, codes, message, report, table, _ = self.texts()
        self.assertRegex(version, r"^'\d+\.\d+\.\d+'$")
        self.assertEqual(shape, "(6, 8, 32768)")
        self.assertRegex(
            codes, r"^Quantiser\('percentile', bits=8, percentile=99\.9\): codes -127 to 127, \d+ of 32768 saturated"
        )
        self.assertRegex(report, "^<Report of experiment: linear model, 32,768 values, 8 ranks, star of 25Gbps: fp32 ")
        self.assertIn("image/png", self.executed.cells[-2].outputs[0].data)
        as_fp32, as_int8, coded = map(int, re.findall(r"(\d+) (?:bytes|as|coded)", message))
        self.assertEqual((as_fp32, as_int8), (4 * 32768, 32768))
        self.assertLess(coded, as_int8)
        for method in ("fp32", "fixed_point", "atalanta", "asc"):
            self.assertIn(method, table)

    def test_the_page_of_the_site_shows_it_with_what_it_prints(self):
        text, figure = notebook.page(self.executed, "notebooks/first-steps.ipynb", "notebooks/first-steps.png")
        held = (ROOT / "docs/first-steps.md").read_text(encoding="utf-8")
        if not notebook.agree(held, text):
            self.assertEqual(held, text, "scripts/generate_docs writes it anew")
        self.assertEqual(figure[:4], (ROOT / "docs/notebooks/first-steps.png").read_bytes()[:4])

    def test_what_is_shipped_holds_no_outputs_that_would_grow_old(self):
        for shipped in self.as_shipped.cells:
            if shipped.cell_type == "code":
                self.assertEqual((shipped.outputs, shipped.execution_count), ([], None))


if __name__ == "__main__":
    unittest.main()
