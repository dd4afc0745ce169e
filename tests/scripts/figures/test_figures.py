"""What the figures of the project show: looks of methods, titles, reference lines and values, family by family.

Run: PYTHONPATH=python /usr/bin/python3 -m unittest tests/scripts/figures/test_figures.py
"""

import contextlib
import importlib.util
import io
import json
import re
import shutil
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

from tests.scripts.loading import script

oscar_hw, pays, saturation, validate = map(script, ("oscar_hw", "where_it_pays", "saturation", "validate"))
ROOT = Path(__file__).resolve().parents[3]
MISSING = [name for name in ("matplotlib", "seaborn", "pandas") if importlib.util.find_spec(name) is None]


def texts(panel):
    """What is written in a panel beside its axes."""
    return [text.get_text() for text in panel.texts]


def coloured(panel):
    """The colours of lines with data that are not those of reference lines, without grey."""
    from oscar_plot import style

    colours = {line.get_color() for line in panel.lines if line.get_linestyle() != ":" and len(line.get_xdata()) > 2}
    return colours - {style.GREY, style.TEXT}


def title_of(svg):
    """The comments of an SVG file, in which Matplotlib keeps its texts."""
    return " ".join(re.findall("<!-- (.*?) -->", svg.read_text(encoding="utf-8")))


def look(line):
    return line.get_color(), line.get_marker(), line.get_linewidth()


@unittest.skipIf(MISSING, f"no Python module {', '.join(MISSING)}")
class Figures(unittest.TestCase):
    """Closes what it has drawn."""

    def tearDown(self):
        from matplotlib import pyplot

        pyplot.close("all")


class Style(Figures):
    def test_the_first_six_of_the_table_are_highlighted_and_of_others_those_that_come_first(self):
        from oscar_plot import style

        methods = ["bf16", "mine", "oscar-hw", "asc", "fp32", "yours", "fixed_point", "ours"]
        self.assertEqual(style.highlighted(methods), ["fp32", "oscar-hw", "fixed_point", "asc", "bf16", "mine"])

    def test_a_look_does_not_depend_on_what_else_is_drawn(self):
        from oscar_plot import style

        for method in ("oscar-hw", "mine"):
            alone, beside = style.of([method])[method], style.of(["fp32", method])[method]
            self.assertEqual(alone, beside)

    def test_six_methods_without_a_look_of_their_own_differ_in_colour(self):
        from oscar_plot import style

        for start in range(50):
            looks = style.of([f"method {start + i}" for i in range(style.MOST)])
            self.assertEqual(len({look.colour for look in looks.values()}), style.MOST)

    def test_highlighted_methods_of_the_shipped_files_differ_in_colour_marker_and_hatch(self):
        import yaml
        from oscar_plot import style

        common = yaml.safe_load((ROOT / "configs/training/methods/common.yaml").read_text(encoding="utf-8"))
        files = [
            yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))["methods"]
            for name in (
                "configs/training/gravac.yaml",
                "configs/training/gpt-kjv-rate.yaml",
                "configs/experiments/oscar-hw.yaml",
                "configs/experiments/demo.yaml",
                "configs/experiments/co-design.yaml",
            )
        ]
        for methods in (common, *files):
            names = [method if isinstance(method, str) else method.get("name", method["kind"]) for method in methods]
            looks = style.of(style.highlighted(names))
            for part in (lambda look: look.colour, lambda look: look.marker, lambda look: style.HATCHES[look.marker]):
                self.assertEqual(len(set(map(part, looks.values()))), len(looks), looks)

    def test_reference_lines_are_named_where_they_end(self):
        from matplotlib import pyplot
        from oscar_plot import style

        panel = pyplot.subplots()[1]
        style.reference(panel, 3, "bound", vertical=True)
        style.reference(panel, 5, "target", begin=True)
        self.assertEqual([line.get_linestyle() for line in panel.lines], [":", ":"])
        self.assertEqual(
            [(text.get_text(), text.xy) for text in panel.texts], [("bound", (3, 1.0)), ("target", (0.0, 5))]
        )


def record(name, qualities, seed=1):
    rows = [
        {"step": 10 * (i + 1), "seconds": i + 1 + seed / 10, "payload_bytes": 2**20 * (i + 1), "quality": quality}
        for i, quality in enumerate(qualities)
    ]
    return {"method": name, "seed": seed, "metric": "test accuracy (of all)", "rows": rows}


class Training(Figures):
    METHODS = ["dense", "oscar-hw", "gravac", "top-k 10x", "a", "b", "c", "d"]
    SETTINGS = SimpleNamespace(
        workload="lenet-fmnist",
        ranks=8,
        learning_rate=0.0,
        machine={"network": {"topology": {"kind": "star"}, "link": {"bandwidth": "400Mbps"}}},
    )

    def setUp(self):
        from oscar_training import curves

        self.curves = curves
        methods = {
            name: [record(name, [0.1, 0.5, 0.7, 0.8, 0.8 + 0.02 * seed], seed) for seed in (1, 2, 3)]
            for name in self.METHODS
        }
        methods["d"] = [record("d", [0.1] * 5)]
        self.methods = methods

    def drawn(self, **changed):
        figure = self.curves.figure_of(self.methods | changed, self.curves.title(self.SETTINGS, 3))
        return figure, figure.axes

    def test_the_title_names_task_ranks_network_link_and_seeds(self):
        self.assertEqual(
            self.drawn()[0]._suptitle.get_text(),
            "Training lenet-fmnist: 8 ranks (star), links of 400 Mbit/s, mean and range of 3 seeds",
        )
        other = SimpleNamespace(**{**vars(self.SETTINGS), "machine": {}, "learning_rate": 6e-3})
        self.assertEqual(self.curves.title(other, 1), "Training lenet-fmnist: 8 ranks, learning rate 0.006, one seed")

    def test_at_most_six_methods_have_a_colour_and_the_others_are_named(self):
        figure, panels = self.drawn()
        for panel in panels:
            self.assertEqual(len(coloured(panel)), 6)
        self.assertTrue(figure._supxlabel.get_text().startswith("Grey: c; d. Ends below what is shown: d (0.10)."))
        self.assertEqual(
            [text.get_text() for text in panels[-1].get_legend().get_texts()],
            ["dense", "oscar-hw", "gravac", "top-k 10x", "a", "b", "2 others"],
        )

    def test_a_band_spans_the_seeds_and_a_line_is_their_mean(self):
        _, (time, *_) = self.drawn()
        (line,) = [line for line in time.lines if line.get_label() == "oscar-hw"]
        means = [(0.7 + 0.8 + 0.8 + 0.02 * seed) / 3 for seed in (1, 2, 3)]  # of three evaluations
        self.assertAlmostEqual(line.get_ydata()[-1], means[1])
        self.assertAlmostEqual(line.get_xdata()[-1], 5.2)  # mean of 5.1, 5.2 and 5.3
        ends = [
            path.vertices[:, 1][path.vertices[:, 0] > 5.1] for band in time.collections for path in band.get_paths()
        ]
        self.assertTrue(any(abs(end.min() - means[0]) < 1e-9 and abs(end.max() - means[2]) < 1e-9 for end in ends))

    def test_a_curve_is_what_the_tables_judge_so_that_it_ends_on_its_side_of_the_target(self):
        """The last evaluation of oscar-hw is above dense's target; the mean of its last three is not."""
        self.methods["oscar-hw"] = [record("oscar-hw", [0.1, 0.5, 0.6, 0.6, 0.9])]
        _, (time, *_) = self.drawn()
        (line,) = [line for line in time.lines if line.get_label() == "oscar-hw"]
        for got, wanted in zip(
            line.get_ydata(),
            (0.1, (0.1 + 0.5) / 2, (0.1 + 0.5 + 0.6) / 3, (0.5 + 0.6 + 0.6) / 3, (0.6 + 0.6 + 0.9) / 3),
        ):
            self.assertAlmostEqual(got, wanted)
        (target,) = [line.get_ydata()[0] for line in time.lines if line.get_linestyle() == ":"]
        self.assertLess(line.get_ydata()[-1], target)
        self.assertEqual(time.get_ylabel(), "test accuracy (better ↑)\nmean of 3 evaluations")

    def test_two_methods_have_bands_and_the_note_names_them(self):
        figure, panels = self.drawn()
        self.assertEqual([len(panel.collections) for panel in panels], [2, 2, 2])
        self.assertTrue(
            figure._supxlabel.get_text().replace("\n", " ").endswith("Bands: range of the seeds of dense and oscar-hw.")
        )

    def test_names_with_commas_are_told_apart_by_semicolons(self):
        methods = {**self.methods, "dgc 100x, no momentum correction": self.methods["c"]}
        self.assertTrue(
            self.drawn(**methods)[0]._supxlabel.get_text().startswith("Grey: c; d; dgc 100x, no momentum correction.")
        )

    def test_the_target_is_drawn_and_named(self):
        _, panels = self.drawn()
        # 0.84, less the deviation of the seeds' means of three evaluations: (0.7 + 0.8 + 0.8 + 0.02 seed) / 3
        target = (0.7 + 0.8 + 0.84) / 3 - 0.02 / 3
        self.assertEqual(texts(panels[-1]), [f"target {target:.3f}: dense − 1σ"])
        for panel in panels:
            (line,) = [line for line in panel.lines if line.get_linestyle() == ":"]
            self.assertAlmostEqual(line.get_ydata()[0], target)

    def test_methods_that_diverge_do_not_stretch_the_axis(self):
        _, panels = self.drawn()
        low, high = panels[0].get_ylim()
        median, best = (0.1 + 0.5) / 2, (
            0.7 + 0.8 + 0.84
        ) / 3  # means of what is there at step 20, and of the last three
        self.assertAlmostEqual(low, median - 0.06 * (best - median))
        self.assertAlmostEqual(high, best + 0.08 * (best - median))

    def test_where_less_is_better_the_axis_points_down(self):
        losses = {
            name: [record(name, [3.0, 2.5, 2.2, 2.0]) | {"metric": "nats per character"}] for name in self.METHODS
        }
        figure, panels = self.drawn(**losses)
        low, high = panels[0].get_ylim()
        self.assertGreater(low, high)
        self.assertEqual(texts(panels[-1]), ["target 2.233: dense"])  # one seed has no deviation

    def test_time_is_linear_and_bytes_are_logarithmic(self):
        _, panels = self.drawn()
        self.assertEqual([panel.get_xscale() for panel in panels], ["linear", "log", "linear"])


class Validation(Figures):
    def setUp(self):
        import numpy
        from oscar_validation import plots

        self.plots = plots
        self.machine = SimpleNamespace(
            name="Two boxes, Ethernet",
            source="a log",
            config="two.yaml",
            sizes=2 ** numpy.arange(10, 21),
            measured=numpy.array([1e-5] * 4 + [9e-5] + [2e-5] * 6),
        )
        self.curves = {
            validate.LINE: self.machine.measured * 1.1,
            validate.TUNER: self.machine.measured * 0.9,
            validate.SIMULATED: numpy.where(self.machine.sizes > 1 << 18, numpy.nan, self.machine.measured),
        }
        self.figure = plots.figure_of(self.machine, self.curves, 8, [("small", (1 << 12, 1 << 14), 0.25)])
        self.speeds, self.errors = self.figure.axes

    def test_the_title_names_machine_ranks_and_source(self):
        self.assertEqual(self.figure._suptitle.get_text(), "fp32 AllReduce, Two boxes, Ethernet, 8 ranks: a log")

    def test_what_was_measured_is_drawn_filled_and_on_top_as_bus_bandwidth(self):
        (measured,) = [line for line in self.speeds.lines if line.get_label() == "measured"]
        self.assertEqual(measured.get_markerfacecolor(), "black")
        self.assertGreater(
            measured.get_zorder(), max(line.get_zorder() for line in self.speeds.lines if line is not measured)
        )
        self.assertAlmostEqual(measured.get_ydata()[0], 2 * 7 / 8 * 1024 / 1e-5 / 1e9)
        self.assertEqual(self.speeds.get_ylabel(), "bus bandwidth (GB/s)")

    def test_the_end_of_a_simulation_the_bars_and_an_outlier_are_told(self):
        self.assertEqual(texts(self.errors), ["simulated up to 256 KiB", "allowed mean error ±25%"])
        self.assertEqual(texts(self.speeds), ["outlier (16 KiB 90 µs, 32 KiB 20 µs)"])
        (band,) = self.errors.collections
        self.assertEqual(
            (band.get_paths()[0].vertices[:, 1].min(), band.get_paths()[0].vertices[:, 1].max()), (-25, 25)
        )

    def test_the_curves_have_the_looks_of_the_table(self):
        from oscar_plot import style

        for line in self.speeds.lines:
            if line.get_label() in style.LOOKS:
                self.assertEqual(line.get_color(), style.LOOKS[line.get_label()].colour)


def traffic(columns, pattern, rounds, vcs=4):
    return {
        "config": {
            "topology": {"kind": "mesh", "rows": 4, "columns": columns},
            "traffic": {"pattern": {"kind": pattern}},
            "router": {"vcs": vcs, "vc_flits": 1, "sw_alloc_iterations": rounds, "input_speedup": 1},
        },
        "bounds": {"throughput": 4 / 9},
        "points": [{"accepted": load, "mean_latency": 18 + load} for load in (0.1, 0.2, 0.3)]
        + [{"accepted": 0.4, "mean_latency": None}],
    }


class Saturation(Figures):
    def setUp(self):
        self.reports = {
            "mesh4-tornado": traffic(4, "tornado", 1),
            "other": traffic(4, "bit_complement", 1),
            "large": traffic(8, "uniform", 1),
        }
        self.figure = saturation.plotted(self.reports)

    def test_titles_say_what_is_alike_and_labels_what_differs(self):
        self.assertEqual(
            saturation.panels_of(self.reports),
            {
                "4 × 4 routers, mesh, 1 iSLIP iteration, 1 input a port, 4 VCs of 1 flit": {
                    "tornado": "mesh4-tornado",
                    "bit complement": "other",
                },
                "4 × 8 routers, mesh, uniform, 1 iSLIP iteration, 1 input a port, 4 VCs of 1 flit": {"large": "large"},
            },
        )
        more = saturation.panels_of({"a": traffic(4, "uniform", 1), "b": traffic(4, "uniform", 4)})
        self.assertEqual(
            list(more.values()), [{"1 iSLIP iteration, 1 input a port": "a", "4 iSLIP iterations, 1 input a port": "b"}]
        )

    def test_published_latencies_are_drawn_on_top(self):
        (points,) = [line for line in self.figure.axes[0].lines if line.get_marker() == "*"]
        self.assertEqual(list(points.get_xdata()), [0.05, 0.2, 0.3, 0.4])
        self.assertEqual(list(points.get_ydata()), [18.1, 18.2, 18.7, 22.6])
        self.assertEqual(points.get_label(), "BookSim 2, same router (tornado)")
        self.assertGreater(points.get_zorder(), 5)

    def test_bounds_are_named_at_their_line_beside_the_published_saturation(self):
        self.assertEqual(
            texts(self.figure.axes[0]), ["bound 0.444 (tornado, bit complement)\nBookSim saturates at 0.444 (tornado)"]
        )

    def test_loads_beyond_saturation_are_left_out(self):
        for line in self.figure.axes[1].lines:
            self.assertNotIn(0.4, list(line.get_xdata()))


class Ablation(Figures):
    @classmethod
    def setUpClass(cls):
        cls.rows = [row for row in oscar_hw.ablation(oscar_hw.RESULTS) if row["collective.issue"] == "lock_step"]
        cls.titles = list(
            dict.fromkeys(oscar_hw.machine_words(row["engine"], row["network.link.bandwidth"]) for row in cls.rows)
        )

    def setUp(self):
        import pandas
        from oscar_plot import ablation

        self.ablation = ablation
        self.frame = pandas.DataFrame(
            [
                {"panel": "machine", "method": method, "trace": trace, "speedup": factor * (place + 1)}
                for place, method in enumerate(name for group in ablation.GROUPS.values() for name in group)
                for trace, factor in (("a", 1), ("b", 4))
            ]
        )

    def test_machines_are_told_in_words_and_not_in_yaml(self):
        self.assertEqual(
            self.titles,
            [
                "64 lanes at 100 GHz (idealised), 1 Gbit/s",
                "64 lanes at 1 GHz, 1 Gbit/s",
                "64 lanes at 1 GHz, 400 Gbit/s",
            ],
        )

    def test_every_method_of_the_ablation_has_words_in_one_group(self):
        named = [name for group in self.ablation.GROUPS.values() for name in group]
        self.assertEqual(sorted(named), sorted({row["method"] for row in self.rows}))
        self.assertLessEqual(set(self.ablation.LADDER), set(named))

    def test_each_bar_of_the_waterfall_begins_where_the_one_before_ends(self):
        (panel,) = self.ablation.waterfall(self.frame, "a title").axes
        bars = [(bar.get_x(), bar.get_x() + bar.get_width()) for bar in panel.patches]
        self.assertEqual(len(bars), len(self.ablation.LADDER))
        for (_, end), (begin, _) in zip(bars, bars[1:]):
            self.assertAlmostEqual(end, begin)
        # sqrt(1 * 4) = 2 times the place in GROUPS: fp32 is the first, fixed_point the third
        self.assertEqual(texts(panel)[:2], ["2.00", "6.00  (×3.00)"])

    def test_variants_have_their_mean_in_the_bar_and_a_dot_per_trace(self):
        (panel,) = self.ablation.variants(self.frame, "a title").axes
        self.assertEqual(len(panel.patches), 25)
        self.assertEqual(len(panel.collections[0].get_offsets()), 50)
        self.assertEqual(texts(panel)[0], "2.00")
        self.assertEqual(
            [label.get_text() for label in panel.get_yticklabels() if label.get_weight() == "bold"],
            [name for name, _ in self.ablation.GROUPS],
        )


class WhereItPays(Figures):
    def test_break_evens_are_named_and_curves_have_the_looks_of_other_figures(self):
        from oscar_plot import break_even, style

        curves = {"fixed_point": [3, 2.9, 2.8], "oscar-hw": [7, 4, 2.7]}
        (panel,) = break_even.figure_of(
            {"window": (curves, 800)}, [100, 400, 800], "speed-up over fp32 (×)", "25 MiB, 8 ranks"
        ).axes
        self.assertEqual(texts(panel), ["3.00", "7.00", "no gain from 800 Gbit/s on", "no faster"])
        self.assertEqual(panel.get_title(), "window")
        ours = panel.lines[1]
        self.assertEqual(
            look(ours), (style.LOOKS["oscar-hw"].colour, style.LOOKS["oscar-hw"].marker, style.LOOKS["oscar-hw"].width)
        )

    def test_of_curves_that_begin_at_one_value_only_the_first_has_it_written(self):
        from oscar_plot import break_even

        (panel,) = break_even.figure_of({"w": ({"a": [2.0, 1], "b": [2.01, 1]}, None)}, [100, 400], "x", "y").axes
        self.assertEqual(texts(panel), ["2.00", "no faster"])

    def test_times_of_the_last_method_stand_beside_the_machines_in_words(self):
        from oscar_plot import parts

        (panel,) = parts.figure_of(
            {"400 Gbit/s": {"fp32": [10, 10], "asc": [8, 6], "oscar-hw": [8, 5]}}, ["plain", "in_flight 2"], "a title"
        ).axes
        self.assertEqual(texts(panel), ["8 µs (1.25×)", "5 µs (2.00×)"])
        self.assertEqual(
            [label.get_text() for label in panel.get_yticklabels()], ["plain machine", "+ 2 slices in flight"]
        )

    def pareto(self, marked):
        """Two windows, where bits of a code 4 and 10 of one kind have errors 0.5 and 0.01."""
        from oscar_plot import pareto

        curves = {"max": [pareto.Point(4, 0.5, 1.0, 100), pareto.Point(10, 0.01, 5.0, 300)]}
        plain = {"bf16": pareto.Point("bf16", 0.004, 16, 900), "fp32": pareto.Point("fp32", 2e-9, 32, 1800)}
        return pareto.figure_of({"one": (curves, plain), "two": (curves, plain)}, marked, "a title")

    def test_error_stands_against_bits_and_against_time_of_each_window(self):
        above, beside, below, _ = self.pareto({}).axes
        self.assertEqual([panel.get_title() for panel in (above, beside)], ["one", "two"])
        self.assertEqual([list(panel.lines[0].get_xdata()) for panel in (above, below)], [[1, 5], [100, 300]])
        self.assertEqual(list(above.lines[0].get_ydata()), [0.5, 0.01])
        self.assertEqual((above.get_yscale(), below.get_xlabel()), ("log", "AllReduce (µs)"))

    def test_what_is_as_good_as_exact_stands_on_the_axis_with_its_error_in_words(self):
        panel = self.pareto({}).axes[0]
        self.assertEqual(texts(panel), ["4", "10", "bf16", "fp32 (2e-09)"])
        self.assertEqual(panel.get_ylim(), (0.002, 1))  # half of bf16's error, twice the largest
        self.assertEqual([list(line.get_ydata()) for line in panel.lines[1:]], [[0.004], [0.002]])

    def test_the_default_and_the_chosen_quantiser_are_marked(self):
        panel = self.pareto({"the default": ("max", 10), "chosen": ("max", 4), "elsewhere": ("per_tensor", 8)}).axes[2]
        self.assertEqual(
            [(list(line.get_xdata()), line.get_marker()) for line in panel.lines[3:]], [([300], "o"), ([100], "*")]
        )


class Sweeps(Figures):
    def drawn(self, methods, links=("10Gbps", "1Tbps")):
        import pandas
        from oscar_plot import axes, figures, rows

        frame = pandas.DataFrame(
            [
                {
                    "network.link.bandwidth": link,
                    "method": method,
                    "allreduce_ps": 1e6 * (place + 1),
                    "bits_per_value": 4.0,
                    "relative_l2_error": 0.1,
                }
                for link in links
                for place, method in enumerate(methods)
            ]
        )
        sweep = rows.Sweep(frame, ("network.link.bandwidth",), {"trace": "lenet-fmnist", "ranks": "8 ranks"})
        varied = axes.find(sweep)
        return figures.along_axis(sweep, varied[0], varied, methods[0])

    def test_titles_name_trace_and_ranks_and_labels_are_words(self):
        figure = self.drawn(["fp32", "asc"])
        self.assertEqual(figure._suptitle.get_text(), "AllReduce, lenet-fmnist, 8 ranks")
        self.assertEqual(figure.axes[2].get_xlabel(), "link (Gbit/s)")

    def test_a_panel_has_what_each_method_takes_more_than_the_fastest(self):
        lines = self.drawn(["fp32", "asc"]).axes[2].lines
        self.assertEqual([list(line.get_ydata()) for line in lines], [[0, 0], [100, 100]])

    def test_of_eight_methods_six_have_a_colour(self):
        from oscar_plot import style

        figure = self.drawn([f"m{i}" for i in range(8)])
        self.assertEqual(len({line.get_color() for line in figure.axes[0].lines} - {style.GREY}), 6)
        self.assertEqual(len(figure.axes[0].lines), 8)
        self.assertEqual(figure.legends[0].get_texts()[-1].get_text(), "2 others")

    def test_of_eight_methods_six_have_bars_and_the_others_are_said_to_be_left_out(self):
        figure = self.drawn([f"m{i}" for i in range(8)], links=("slow", "fast"))
        self.assertEqual(len(figure.axes[0].patches), 12)
        self.assertEqual(figure.legends[0].get_texts()[-1].get_text(), "2 others left out")

    def test_a_method_looks_the_same_in_the_figure_of_a_sweep_and_of_a_training(self):
        from oscar_training import curves

        fine = [record(name, [0.5, 0.6, 0.7, 0.8]) for name in ("dense", "oscar-hw")]
        trained = curves.figure_of({run["method"]: [run] for run in fine}, "a title").axes[0]
        swept = self.drawn(["bf16", "oscar-hw", "fp32"]).axes[0]
        looks = [look(line) for panel in (trained, swept) for line in panel.lines if line.get_label() == "oscar-hw"]
        self.assertEqual(len(looks), 2)
        self.assertEqual(looks[0], looks[1])


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
        shutil.copytree(ROOT / "results/training/gpt-kjv-rate", self.folder / "gpt-kjv-rate")
        files = self.run_main(script("train"), ROOT / "configs/training/gpt-kjv-rate.yaml", "--from-records")
        from oscar_training import summary

        tables = {f"{name}.csv" for name in summary.COLUMNS}
        self.assertEqual(files, {"SUMMARY.md", "gpt-kjv-rate.png", "gpt-kjv-rate.svg"} | tables)
        self.assertIn(
            "gpt-kjv: 8 ranks (star), links of 400 Mbit/s, learning rate 0.006, one seed",
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
            for file in ("SUMMARY.md", *(f"{name}.csv" for name in summary.COLUMNS)):
                self.assertTrue((folder / file).read_bytes() == (shipped / file).read_bytes(), file)

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
