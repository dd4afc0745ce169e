"""The notebooks of docs run as they are, from top to bottom, and say what is true."""

import importlib.util
import os
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / os.environ.get("OSCAR_BUILD", "build/release")
MISSING = [package for module, package in (("nbclient", "python3-nbclient"), ("nbformat", "python3-nbformat"), ("ipykernel", "python3-ipykernel"),
                                           ("pandas", "python3-pandas"), ("matplotlib", "python3-matplotlib")) if importlib.util.find_spec(module) is None]


@unittest.skipIf(MISSING, f"{', '.join(MISSING)} missing (scripts/setup test-packages.txt plot-packages.txt installs them)")
class FirstSteps(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        import nbclient
        import nbformat
        os.environ.update(PYTHONPATH=str(BUILD / "python"), PYDEVD_DISABLE_FILE_VALIDATION="1")   # of the kernel; it has no debugger to warn of
        cls.as_shipped = nbformat.read(ROOT / "docs/notebooks/first-steps.ipynb", as_version=4)
        cls.executed = nbformat.from_dict(cls.as_shipped)
        nbclient.NotebookClient(cls.executed, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(ROOT / "docs/notebooks")}}).execute()

    def texts(self):
        """What the code cells print or show, one text a cell."""
        return ["".join(output.get("text", "") or output.get("data", {}).get("text/plain", "") for output in cell.outputs)
                for cell in self.executed.cells if cell.cell_type == "code"]

    def test_it_gives_codes_bytes_a_report_a_table_and_a_figure(self):
        version, shape, codes, message, report, table, _ = self.texts()
        self.assertRegex(version, r"^'\d+\.\d+\.\d+'$")
        self.assertEqual(shape, "(6, 8, 32768)")
        self.assertRegex(codes, r"^Quantiser\('percentile', bits=8, percentile=99\.9\): codes -127 to 127, \d+ of 32768 saturated")
        self.assertRegex(report, "^<Report of experiment: linear model, 32,768 values, 8 ranks, star of 25Gbps: fp32 ")
        self.assertIn("image/png", self.executed.cells[-2].outputs[0].data)
        as_fp32, as_int8, coded = map(int, re.findall(r"(\d+) (?:bytes|as|coded)", message))
        self.assertEqual((as_fp32, as_int8), (4 * 32768, 32768))
        self.assertLess(coded, as_int8)
        for method in ("fp32", "fixed_point", "atalanta", "asc"):
            self.assertIn(method, table)

    def test_what_is_shipped_holds_no_outputs_that_would_grow_old(self):
        for cell in self.as_shipped.cells:
            if cell.cell_type == "code":
                self.assertEqual((cell.outputs, cell.execution_count), ([], None))


if __name__ == "__main__":
    unittest.main()
