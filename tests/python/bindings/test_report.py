"""The Report of a simulation as a dict, a table and a figure."""

import copy
import importlib.util
import io
import json
import subprocess
import sys
import unittest

import oscar_sim

HAS_PANDAS, HAS_MATPLOTLIB, HAS_MYPY = (
    importlib.util.find_spec(name) is not None for name in ("pandas", "matplotlib", "mypy")
)
EXPERIMENT = {
    "trace": "traces/lenet-fmnist",
    "ranks": 4,
    "iterations": {"first": 5, "count": 2},
    "methods": ["fp32", "fixed_point", "asc"],
    "network": {"link": {"bandwidth": "10Gbps"}},
}


class Reports(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.report = oscar_sim.simulate(EXPERIMENT)
        cls.times = {method["name"]: method["allreduce_ps"] for method in cls.report["methods"]}

    def test_it_is_the_dict_of_report_json(self):
        self.assertIsInstance(self.report, dict)
        self.assertEqual(json.loads(json.dumps(self.report)), self.report)
        self.assertEqual(self.report["schema"], 1)

    def test_it_prints_as_trace_ranks_link_and_times(self):
        self.assertEqual(
            repr(self.report),
            "<Report of experiment: lenet-fmnist, 32,326 values, 4 ranks, star of 10Gbps: "
            + ", ".join(f"{name} {time / 1e6:.3f} us" for name, time in self.times.items())
            + ">",
        )

    @unittest.skipUnless(HAS_PANDAS, "pandas is missing (Debian package python3-pandas)")
    def test_a_table_has_a_row_a_method_and_a_column_a_figure(self):
        table = self.report.to_pandas()
        self.assertEqual(table.index.tolist(), ["fp32", "fixed_point", "asc"])
        self.assertEqual(table["allreduce_ps"].to_dict(), self.times)
        asc = self.report["methods"][2]
        self.assertEqual(table.loc["asc", "critical_path.wire_ps"], asc["critical_path"]["wire_ps"])
        self.assertAlmostEqual(table.loc["asc", "speedup.fp32"], self.times["fp32"] / self.times["asc"])
        self.assertEqual(
            {column.split(".")[0] for column in table.columns} | {"name"},
            {key for key, value in asc.items() if not isinstance(value, list)} - {"timesteps"},  # of lists alone
        )
        self.assertFalse([name for name in table if isinstance(table.loc["asc", name], (dict, list))])

    @unittest.skipUnless(HAS_PANDAS, "pandas is missing (Debian package python3-pandas)")
    def test_or_a_row_a_method_and_iteration(self):
        table = self.report.to_pandas("iteration")
        self.assertEqual(table.index.tolist(), [(method, position) for method in self.times for position in (5, 6)])
        self.assertEqual(
            table.loc[("asc", 6), "allreduce_ps"], self.report["methods"][2]["iterations"][1]["allreduce_ps"]
        )
        self.assertAlmostEqual(
            table.loc["asc", "allreduce_ps"].mean(), self.times["asc"], delta=1
        )  # picoseconds, rounded
        with self.assertRaisesRegex(ValueError, "rows: 'bucket' is not known; choose method or iteration"):
            self.report.to_pandas("bucket")

    @unittest.skipUnless(HAS_MATPLOTLIB, "Matplotlib is missing (Debian package python3-matplotlib)")
    def test_a_figure_shows_the_speed_up_with_its_limit_and_the_parts_of_the_path(self):
        figure = self.report.plot(baseline="fixed_point")
        speed, path = figure.axes
        widths = [bar.get_width() for bar in speed.patches]
        for width, time in zip(widths, self.times.values(), strict=True):
            self.assertAlmostEqual(width, self.times["fixed_point"] / time)
        names = [text.get_text() for text in path.get_legend().get_texts()]
        self.assertEqual(
            names, ["link", "engine", "dma", "latency", "wait"]
        )  # the words of the tables and of bottleneck
        self.assertEqual(
            [text.get_text() for text in speed.texts],
            [
                f"{width:.2f}x, limited by {method['bottleneck']}"
                for width, method in zip(widths, self.report["methods"])
            ],
        )
        self.assertEqual(
            figure.get_suptitle() if hasattr(figure, "get_suptitle") else figure._suptitle.get_text(),
            "lenet-fmnist, 32,326 values, 4 ranks, star of 10Gbps",
        )
        ends = [
            max(bar.get_x() + bar.get_width() for bar in path.patches if bar.get_y() == lane.get_y())
            for lane in speed.patches
        ]
        for end, time in zip(ends, self.times.values(), strict=True):
            self.assertAlmostEqual(end, time / 1e6, places=4)  # the parts add up to the AllReduce
        self.assertEqual(
            [text.get_text() for text in path.get_legend().get_texts()], ["link", "engine", "dma", "latency", "wait"]
        )
        figure.savefig(io.BytesIO(), format="png")

    @unittest.skipUnless(HAS_MATPLOTLIB, "Matplotlib is missing (Debian package python3-matplotlib)")
    def test_a_baseline_that_is_no_method_is_refused_with_those_that_are(self):
        with self.assertRaisesRegex(
            ValueError, "baseline: 'bf16' is none of the methods; choose one of fp32, fixed_point, asc"
        ):
            self.report.plot(baseline="bf16")

    def test_the_plain_dict_is_not_changed_by_what_is_made_of_it(self):
        before = copy.deepcopy(dict(self.report))
        if HAS_PANDAS:
            self.report.to_pandas()
            self.report.to_pandas("iteration")
        if HAS_MATPLOTLIB:
            self.report.plot()
        self.assertEqual(before, self.report)


class Missing(unittest.TestCase):
    def test_the_package_loads_without_pandas_and_matplotlib_and_says_how_to_install_them(self):
        script = """
import sys
sys.modules["pandas"] = sys.modules["matplotlib"] = None   # as if they were not installed
import oscar_sim
for call in (oscar_sim.Report().to_pandas, oscar_sim.Report().plot):
    try:
        call()
    except ImportError as error:
        print(error)
"""
        printed = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True
        ).stdout.splitlines()
        self.assertEqual(len(printed), 2, printed)
        self.assertRegex(printed[0], "^pandas is missing .*; install it: apt install python3-pandas$")
        self.assertRegex(printed[1], "^matplotlib.* is missing .*; install it: apt install python3-matplotlib$")


@unittest.skipUnless(HAS_MYPY, "mypy is missing (Debian package mypy)")
class Types(unittest.TestCase):
    def check(self, *arguments):
        return subprocess.run(
            [sys.executable, "-m", "mypy", "--config-file", "pyproject.toml", "--cache-dir", "/dev/null", *arguments],
            capture_output=True,
            text=True,
            check=False,
        ).stdout

    def test_the_package_is_typed_throughout(self):
        self.assertRegex(self.check("python/oscar_sim"), "^Success: no issues found")

    def test_a_users_mistake_is_found_before_the_program_runs(self):
        found = self.check(
            "-c", "import oscar_sim\noscar_sim.Codec('asc').encode([1], '8')\noscar_sim.simulate({}).to_pandas()\n"
        )
        self.assertIn('Argument 2 to "encode" of "Codec" has incompatible type "str"; expected "int"', found)
        self.assertIn("Found 1 error", found)


if __name__ == "__main__":
    unittest.main()
