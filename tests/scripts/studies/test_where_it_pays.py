"""scripts/where_it_pays: which runs it leaves out, what it draws, which quantisers it names.

Run: /usr/bin/python3 -m unittest tests/scripts/studies/test_where_it_pays.py
"""

import contextlib
import io
import json
import re
import shutil
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import yaml

from tests.scripts.loading import script

script_of = script("where_it_pays")
from oscar_summary import causes, pays  # noqa: E402

true_size, end_to_end, records, runs = script_of.true_size, script_of.end_to_end, script_of.records, script_of.runs
METHODS = ("fp32", "fixed_point", "asc-balanced", "oscar-hw")
ROOT = pays.ROOT


def rows(times, **keys):
    """A row per method of one point."""
    return [
        {
            **keys,
            "method": method,
            "allreduce_ps": time,
            "bits_per_value": 5.0,
            "imbalance": 1.1,
            **dict.fromkeys(causes.COLUMNS, time // 5),
            "break_even_bandwidth_gbps": None,
            "relative_l2_error": 0.4,
            "cosine": 0.9,
            "sums_match_reference": True,
        }
        for method, time in zip(METHODS, times)
    ]


def true_rows(points, program="1.0+abc"):
    recorded = {
        "quantiser": "8 bits of old",
        "gpu.dma_bandwidth": "504Gbps",
        "program": program,
        "values": 7_000_000,
        "bound_ps": 900,
    }
    return [row | recorded for point in points for row in rows((4000, 2000, 1100, 1000), **point.keys)]


class Words(unittest.TestCase):
    def test_the_limiter_is_the_largest_part_of_the_critical_path(self):
        for cause, words in (
            ("wire", "the link"),
            ("engine", "the engine"),
            ("dma", "the DMA"),
            ("latency", "latency"),
            ("wait", "waiting"),
        ):
            (row,) = rows((1000,))
            self.assertEqual(causes.limiter([row | {f"critical_path.{cause}_ps": 500}]), words)

    def test_the_buses_that_are_named_are_those_of_the_parts_and_of_the_grid(self):
        grid = yaml.safe_load((ROOT / "configs/sweeps/where-it-pays.yaml").read_text(encoding="utf-8"))
        (buses,) = [key["values"] for axis in grid["axes"] for key in axis.get("zip", ()) if key["key"] == pays.DMA]
        self.assertEqual(buses, list(pays.names(pays.DMA)))
        self.assertEqual(
            buses,
            [pays.config(f"parts/{part}")["gpu"]["dma_bandwidth"] for part in ("pcie5-x16", "pcie6-x16", "nvlink-c2c")],
        )
        self.assertEqual(pays.config("experiments/co-design")["gpu"]["dma_bandwidth"], pays.PCIE5)

    def test_a_quantiser_is_told_in_words(self):
        words = [
            pays.quantiser_words({"kind": kind, "bits": 5, "percentile": 99})
            for kind in ("max", "percentile", "per_tensor", "per_tensor_percentile")
        ]
        self.assertEqual(
            words,
            [
                "5 bits with one scale from the largest magnitude",
                "5 bits with one scale at the 99th percentile",
                "5 bits with a scale per tensor from its largest magnitude",
                "5 bits with a scale per tensor at its 99th percentile",
            ],
        )

    def test_buckets_and_steps_are_of_the_machine_that_the_page_names(self):
        page = " ".join((pays.RESULTS / "SUMMARY.md").read_text(encoding="utf-8").split())
        config = pays.config("experiments/co-design")
        words, dma = pays.quantiser_words(config["quantiser"]), config["gpu"]["dma_bandwidth"]
        self.assertIn(words, page)
        self.assertIn("The machine is that of `co-design.yaml`, 256 lanes at 246 MHz.", page)
        for row in records.read(pays.RESULTS / "true-size.csv")[1]:
            self.assertEqual((row["quantiser"], row["gpu.dma_bandwidth"]), (words, dma))
        for row in records.read(pays.RESULTS / "step.csv")[1]:
            scaled = f"{int(pays.gbps(dma) * 1000 / row['share'] + 0.5)}Mbps" if row["share"] > 1 else dma
            self.assertEqual((row["quantiser"], row["gpu.dma_bandwidth"]), (words, scaled))

    def test_quantiser_and_dma_of_a_run_are_those_of_its_report(self):
        config = {"quantiser": {"kind": "max", "bits": 4}, "gpu": {"dma_bandwidth": "7Gbps"}}
        self.assertEqual(
            true_size.machine(config),
            {"quantiser": "4 bits with one scale from the largest magnitude", "gpu.dma_bandwidth": "7Gbps"},
        )


class Quantisers(unittest.TestCase):
    def test_the_one_that_the_figure_marks_as_the_default_is_that_of_the_program(self):
        page = (ROOT / "docs/parameters.md").read_text(encoding="utf-8")
        (kind,) = re.findall(r"^\| \[`quantiser`\]\(#quantiser\) \| [^|]+ \| `(\w+)` \|", page, re.MULTILINE)
        (bits,) = re.findall(r'^\| <a id="quantiser.bits"></a>[^|]+ \| [^|]+ \| (\d+) \|', page, re.MULTILINE)
        self.assertEqual(pays.DEFAULT_QUANTISER, (kind, int(bits)))

    def test_the_sweep_has_the_default_and_the_chosen_one(self):
        axes = yaml.safe_load((ROOT / f"configs/sweeps/{script_of.QUANTISERS}.yaml").read_text(encoding="utf-8"))[
            "axes"
        ]
        kinds, widths = ([*axis["values"]] for axis in axes[:2])
        for kind, bits in pays.marked().values():
            self.assertIn(kind, [value["kind"] for value in kinds])
            self.assertIn(bits, widths)

    def test_rows_of_a_kind_are_by_bits(self):
        made = [
            {"quantiser": f"{{kind: {kind}}}", "quantiser.bits": bits}
            for kind, bits in (("max", 8), ("percentile", 4), ("max", 4))
        ]
        self.assertEqual(
            {kind: [row["quantiser.bits"] for row in of] for kind, of in pays.by_width(made).items()},
            {"percentile": [4], "max": [4, 8]},
        )

    def test_no_gain_begins_at_the_first_link_below_one_per_cent(self):
        made = [
            {pays.LINK: link, "speedup.fp32": ratio}
            for link, ratio in (("800Gbps", 1.0), ("1600Gbps", 0.9), ("400Gbps", 1.01), ("50Gbps", 2.0))
        ]
        self.assertEqual(pays.stops_at(made, "fp32"), "800Gbps")
        self.assertIsNone(pays.stops_at(made[2:], "fp32"))


class TrueSize(unittest.TestCase):
    def test_the_methods_that_are_run_are_those_that_isolate_the_coder(self):
        methods = yaml.safe_load((ROOT / true_size.CONFIG).read_text(encoding="utf-8"))["methods"]
        self.assertEqual(
            [method if isinstance(method, str) else method["name"] for method in methods],
            ["fp32", "bf16", "fixed_point", "atalanta-balanced", "asc-balanced", "rans-classes", "oscar-hw"],
        )
        self.assertNotIn("methods", true_size.settings(true_size.POINTS[0], Path("captures")))

    def test_links_that_tell_most_come_first(self):
        order = list(dict.fromkeys((point.link, point.gradients) for point in true_size.POINTS))
        self.assertEqual(order[:2], [("400Gbps", "codes"), ("200Gbps", "codes")])
        self.assertEqual(len(true_size.POINTS), 18)

    def test_bits_over_the_dma(self):
        cases = {
            ("oscar-hw", "codes"): (8, 16),
            ("bf16", "codes"): (16, 16),
            ("fp32", "codes"): (32, 32),
            ("fixed_point", "fp32"): (32, 32),
        }
        for (method, gradients), bits in cases.items():
            self.assertEqual(true_size.bits_in_memory(method, gradients), bits)

    def test_points_in_the_csv_file_and_without_capture_are_not_run(self):
        first, second, third = true_size.POINTS[:3]
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for point in (first, second):
                (folder / "captures" / point.trace).mkdir(parents=True)
                (folder / "captures" / point.trace / "trace.yaml").touch()
            file = folder / "true-size.csv"
            records.write(file, "v1", true_rows([first], "v1"), true_size.COLUMNS)
            done = []

            def run(_program, _captures, point, _scratch):
                done.append(point)
                return true_rows([point])

            with mock.patch.object(true_size, "rows_of", run):
                true_size.complete("program", "v1", folder / "captures", file, folder / "scratch")
                self.assertNotIn(first, done)
                self.assertIn(second, done)
                self.assertFalse([point for point in done if point.trace == third.trace])
                self.assertEqual(
                    runs.lacking(true_size.POINTS, records.read(file)[1]),
                    [p for p in true_size.POINTS if p not in (first, *done)],
                )
                done.clear()
                true_size.complete("program", "v2", folder / "captures", file, folder / "scratch")
                self.assertIn(first, done)  # the rows of another program do not count
                made, rows_now = records.read(file)
                self.assertEqual(made, "v2")
                self.assertEqual({row["program"] for row in rows_now}, {"v2"})  # and are replaced
                self.assertEqual(len(rows_now), len(METHODS) * len(done))


class Script(unittest.TestCase):
    def test_csv_files_in_another_folder_give_page_and_figures_there(self):
        with tempfile.TemporaryDirectory() as name:
            for file in pays.RESULTS.glob("*.csv"):
                shutil.copy(file, name)
            (Path(name) / "step.csv").unlink()
            with contextlib.redirect_stdout(io.StringIO()) as said:
                self.assertEqual(script_of.main(["--from-csv", "-o", name]), 0)
            self.assertEqual(said.getvalue(), f"{name}/SUMMARY.md\n")
            page = (Path(name) / "SUMMARY.md").read_text(encoding="utf-8")
            self.assertEqual(page.count("Not run: there is no step.csv."), 2)
            self.assertEqual(
                page[: page.index("## Training steps")],
                (pays.RESULTS / "SUMMARY.md").read_text(encoding="utf-8")[: page.index("## Training steps")],
            )
            for figure in ("speed-up", "buses", "parts", "quantisers"):
                for kind in ("svg", "png"):
                    self.assertGreater((Path(name) / f"{figure}.{kind}").stat().st_size, 1000)

    def test_missing_captures_are_told_in_a_line_each(self):
        with tempfile.TemporaryDirectory() as name:
            arguments = mock.Mock(o=Path(name), captures=Path(name) / "none")
            found = mock.Mock(return_value=Path("points.sqlite"))
            with mock.patch.object(runs, "sweep", found), mock.patch.object(
                script_of, "write_csv"
            ), contextlib.redirect_stderr(io.StringIO()) as errors, mock.patch.object(
                true_size, "complete"
            ), mock.patch.object(
                end_to_end, "complete"
            ):
                records.write(
                    Path(name) / "where-it-pays.csv",
                    "1.0+abc",
                    rows((1,), trace="a"),
                    ["trace", "method", *script_of.FIGURES],
                )
                script_of.run(arguments)
            self.assertEqual(found.call_count, 9)
            self.assertEqual(
                [line.split(", for want of captures")[0] for line in errors.getvalue().splitlines()],
                [
                    "where_it_pays: 18 of 18 runs of true size are missing",
                    f"where_it_pays: {len(end_to_end.POINTS)} of {len(end_to_end.POINTS)} training steps are missing",
                ],
            )

    def test_several_programs_are_all_named(self):
        self.assertEqual(runs.programs([{"program": name} for name in ("1+b", "1+a", "1+b")]), "1+b, 1+a")


class Predicted(unittest.TestCase):
    def test_the_bound_is_that_of_the_rows_bits(self):
        written = {}

        def run(command, **_):
            written.update(text=Path(command[2]).read_text(encoding="utf-8"))
            Path(command[-1]).mkdir()
            (Path(command[-1]) / "prediction.json").write_text(
                json.dumps({"predictions": [{"time_ps": 7}]}), encoding="utf-8"
            )

        config = {"engine": {"lanes": 128, "clock": "1GHz"}, "gpu": {"dma_bandwidth": "461Gbps"}, "ranks": 8}
        row = {
            "method": "oscar-hw",
            pays.FORM: "codes",
            pays.LINK: "400Gbps",
            "bits_per_value": 4.65137105,
            "values": 1000,
        }
        with tempfile.TemporaryDirectory() as name, mock.patch.object(true_size.subprocess, "run", run):
            self.assertEqual(true_size.bound_ps("program", config, row, Path(name)), 7)
        for part in (
            "all_gather_bits: 4.651371",
            "lanes: 128",
            "read_bits: 8",
            "written_bits: 16",
            "schedule: pipelined",
            "4000B",
        ):
            self.assertIn(part, written["text"])


if __name__ == "__main__":
    unittest.main()
