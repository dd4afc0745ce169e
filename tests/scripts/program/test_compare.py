"""oscar-sim compare: two runs beside each other on the command line."""

import json
import tempfile
import unittest
from pathlib import Path

from tests.scripts.program.terminal import piped


class Compare(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        for name, bandwidth in (("slow", "400Gbps"), ("fast", "800Gbps")):
            arguments = ("run", "configs/experiments/co-design.yaml", "--set", f"network.link.bandwidth={bandwidth}")
            done = piped(*arguments, "--set", "methods=[fp32, fixed_point]", "-q", "-o", str(cls.folder / name))
            assert done.returncode == 0, done.stderr

    def compared(self, *arguments):
        return piped("compare", str(self.folder / "slow"), str(self.folder / "fast"), *arguments)

    def test_has_the_link_in_the_units_in_which_it_was_written(self):
        done = self.compared()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"network\.link\.bandwidth +400Gbps +800Gbps")
        self.assertEqual(
            json.loads(self.compared("--json").stdout)["configuration"],
            [{"key": "network.link.bandwidth", "a": "400Gbps", "b": "800Gbps"}],
        )

    def test_has_times_ratios_and_reasons_of_the_reports(self):
        methods = json.loads(self.compared("--json").stdout)["methods"]
        self.assertEqual([method["name"] for method in methods], ["fp32", "fixed_point"])
        for method in methods:
            for side, name in (("a", "slow"), ("b", "fast")):
                report = json.loads((self.folder / name / "report.json").read_text())
                own = next(other for other in report["methods"] if other["name"] == method["name"])
                self.assertEqual(method["allreduce_ps"][side], own["allreduce_ps"])
                self.assertEqual(method["critical_path"][side], own["critical_path"])
            times = method["allreduce_ps"]
            self.assertAlmostEqual(method["ratio"], times["a"] / times["b"])
            self.assertTrue(method["reason"].startswith("B is "), method["reason"])

    def test_a_scaled_report_holds_the_machine_as_it_was_written(self):
        report = json.loads((self.folder / "slow/report.json").read_text())
        self.assertEqual(report["config_as_written"]["network"]["link"]["bandwidth"], "400Gbps")
        self.assertNotEqual(report["config"]["network"]["link"]["bandwidth"], "400Gbps")
        self.assertGreater(report["config_as_written"]["scale"], 1)

    def test_wrong_places_are_refused_in_a_line(self):
        for place, says in (
            (self.folder, "has no report.json"),
            ("README.md", "README.md:1:1: is no JSON"),
            ("none", "no such file"),
        ):
            done = piped("compare", str(self.folder / "slow"), str(place))
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done.stderr)
            self.assertIn(says, done.stderr)


if __name__ == "__main__":
    unittest.main()
