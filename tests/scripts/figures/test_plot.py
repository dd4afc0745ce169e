"""Tests of scripts/plot and python/oscar_plot.

Run: PYTHONPATH=python /usr/bin/python3 -m unittest tests/scripts/figures/test_plot.py
"""

import contextlib
import importlib.util
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

from oscar_plot import quantity
from oscar_summary.command import InputError

PLOT = Path(__file__).resolve().parents[3] / "scripts" / "plot"
MISSING = [name for name in ("matplotlib", "seaborn", "pandas") if importlib.util.find_spec(name) is None]
if not MISSING:
    from oscar_plot import axes, figures, rows
needs_packages = unittest.skipIf(MISSING, f"no Python module {', '.join(MISSING)}")

# Two methods at four points: bits and percentile are zipped, and swept against the link.
LONG = """position,key,quantiser.bits,quantiser.percentile,network.link.bandwidth,\
method,allreduce_ps,bits_per_value,relative_l2_error
0,a,4,99,10Gbps,fp32,4000000,32,5e-8
0,a,4,99,10Gbps,asc,1000000,4,0.2
1,b,4,99,1Tbps,fp32,3000000,32,5e-8
1,b,4,99,1Tbps,asc,1500000,4,0.2
2,c,8,99.9,10Gbps,fp32,4000000,32,5e-8
2,c,8,99.9,10Gbps,asc,2000000,8,0.01
3,d,8,99.9,1Tbps,fp32,3000000,32,5e-8
3,d,8,99.9,1Tbps,asc,2500000,8,0.01
"""
WIDE = """position,key,ranks,status,exit_status,error,fp32.allreduce_ps,a.b.allreduce_ps,a.b.closed_form_ps
0,a,2,done,0,,5,7,
1,b,4,failed,3,"stuck, here",,,
"""


class Folder(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8", newline="")
        return self.folder / name

    def plot(self, *arguments, **environment):
        return subprocess.run(
            [sys.executable, PLOT, *map(str, arguments)],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            timeout=120,
        )


class Quantities(unittest.TestCase):
    def test_share_the_unit_of_the_first(self):
        self.assertEqual(quantity.in_common_unit(["10Gbps", "1Tbps", "500Mbps"]), ([10, 1000, 0.5], "Gbit/s"))
        self.assertEqual(quantity.in_common_unit(["10Gbit/s", "1e3Gbps"]), ([10, 1000], "Gbit/s"))
        self.assertEqual(quantity.in_common_unit(["2µs", "3μs", "1ms"]), ([2, 3, 1000], "µs"))
        self.assertEqual(quantity.in_common_unit(["64KiB", "1MiB"]), ([64, 1024], "KiB"))
        self.assertEqual(quantity.in_common_unit(["4", "99.9"]), ([4, 99.9], ""))

    def test_of_two_kinds_or_none_have_no_common_unit(self):
        for texts in (["1Gbps", "1ns"], ["lock_step"], ["4", "4KiB"], ["[fp32, asc]"], ["1parsec"]):
            self.assertIsNone(quantity.in_common_unit(texts), texts)

    def test_are_spelled_as_in_prose(self):
        self.assertEqual(
            [quantity.spelled(text) for text in ("400Gbps", "1us", "8", "99.9", "lock_step")],
            ["400 Gbit/s", "1 µs", "8", "99.9", "lock_step"],
        )


@needs_packages
class Rows(Folder):
    def test_of_long_and_wide_tables_have_keys_method_and_figures(self):
        long = rows.read(self.write("methods.csv", LONG))
        self.assertEqual(long.keys, ("quantiser.bits", "quantiser.percentile", "network.link.bandwidth"))
        self.assertEqual(long.frame.shape, (8, 7))
        self.assertEqual(list(long.frame.iloc[1]), ["4", "99", "10Gbps", "asc", 1e6, 4, 0.2])
        wide = rows.read(self.write("points.csv", WIDE))
        self.assertEqual(
            list(wide.frame[["ranks", "method", "allreduce_ps"]].itertuples(index=False, name=None)),
            [("2", "fp32", 5), ("2", "a.b", 7)],
        )

    def test_may_have_words_beside_figures(self):
        with_words = "\n".join(
            line + (",bottleneck" if i == 0 else ",link") for i, line in enumerate(LONG.strip().split("\n"))
        )
        frame = rows.read(self.write("methods.csv", with_words + "\n")).frame
        self.assertEqual(set(frame["bottleneck"]), {"link"})
        self.assertEqual(frame["allreduce_ps"].max(), 4000000)

    def test_of_a_wide_table_keep_the_order_of_points_and_methods(self):
        text = (
            "position,key,ranks,status,exit_status,error,z.allreduce_ps,a.allreduce_ps\n0,a,4,done,0,,1,2\n"
            "1,b,2,done,0,,3,4\n"
        )
        frame = rows.read(self.write("points.csv", text)).frame
        self.assertEqual(
            list(frame[["ranks", "method"]].itertuples(index=False, name=None)),
            [("4", "z"), ("4", "a"), ("2", "z"), ("2", "a")],
        )

    def test_of_a_table_without_figures_no_point_is_done(self):
        with self.assertRaisesRegex(InputError, "no point of the sweep is done"):
            rows.read(self.write("points.csv", "position,key,ranks,status,exit_status,error\n0,a,2,done,0,\n"))

    def test_of_a_table_with_two_columns_of_one_name_are_refused_even_of_a_hundred_thousand(self):
        for name, text in (("points.csv", WIDE), ("methods.csv", LONG)):
            header, points = text.strip().split("\n", 1)
            for times in (1, 100_000):  # 40 s in pandas, which looks for each name among all before it
                file = self.write(name, ",".join([header] + ["same", "same"] * times) + "\n" + points + "\n")
                with self.assertRaisesRegex(InputError, "two columns of one name"):
                    rows.read(file)

    def test_no_change_of_a_table_ends_in_anything_but_a_line(self):
        draw, refused = random.Random(50), 0
        for case in range(400):
            data = bytearray((LONG if case % 2 else WIDE).encode())
            for _ in range(draw.randint(1, 4)):
                at = draw.randrange(len(data))
                data[at : at + draw.choice((0, 1, 8))] = bytes([draw.choice(b'",\n.xk0 \xff\0')]) * draw.choice(
                    (0, 1, 9)
                )
            file = self.write("points.csv", "")
            Path(file).write_bytes(bytes(data))
            try:
                rows.read(file)
            except InputError as error:
                self.assertNotIn("\n", str(error))
                refused += 1
        self.assertLess(refused, 400)

    def test_what_a_damaged_report_of_a_database_says_is_left_away(self):
        for report in (
            "[",
            "[" * 20_000,
            '{"config": 3}',
            "3",
            '{"config": {"network": 3, "trace": [], "ranks": "x"}}',
        ):
            (self.folder / "points.sqlite").unlink(missing_ok=True)
            sweep = self.database(
                "CREATE TABLE methods (position, key, ranks, method, allreduce_ps)",
                "INSERT INTO methods VALUES (0, 'a', 8, 'asc', 5)",
                "CREATE TABLE results (key, report)",
                f"INSERT INTO results VALUES ('a', '{report}')",
            )
            self.assertEqual(sweep.fixed, {}, report[:40])

    def database(self, *statements):
        with sqlite3.connect(self.folder / "points.sqlite") as connection:
            for statement in statements:
                connection.execute(statement)
        connection.close()
        return rows.read(self.folder)

    def test_of_a_database_are_those_of_its_view_with_numbers_as_they_were_swept(self):
        sweep = self.database(
            "CREATE TABLE methods (position, key, ranks, share, method, allreduce_ps, closed_form_ps)",
            "INSERT INTO methods VALUES (0, 'a', 8, 99, 'asc', 5, NULL), (1, 'b', 8, 99.5, 'asc', 6, 7)",
        )
        self.assertEqual(sweep.fixed, {})
        self.assertEqual(list(sweep.frame["ranks"]), ["8", "8"])
        self.assertEqual(list(sweep.frame["share"]), ["99", "99.5"])
        self.assertEqual(list(sweep.frame["allreduce_ps"]), [5, 6])

    def test_of_a_database_come_with_what_a_report_says_of_trace_ranks_and_links_that_are_not_swept(self):
        report = '{"config": {"trace": "traces/lenet", "ranks": 8, "network": {"link": {"bandwidth": "25Gbps"}}}}'
        sweep = self.database(
            "CREATE TABLE methods (position, key, ranks, method, allreduce_ps)",
            "INSERT INTO methods VALUES (0, 'a', 8, 'asc', 5)",
            "CREATE TABLE results (key, report)",
            f"INSERT INTO results VALUES ('z', NULL), ('a', '{report}')",
        )
        self.assertEqual(sweep.fixed, {"trace": "lenet", "network.link.bandwidth": "links of 25 Gbit/s"})


@needs_packages
class Axes(Folder):
    def setUp(self):
        super().setUp()
        self.sweep = rows.read(self.write("methods.csv", LONG))
        self.axes = axes.find(self.sweep)

    def test_that_are_zipped_are_one(self):
        self.assertEqual(
            [axis.keys for axis in self.axes], [("quantiser.bits", "quantiser.percentile"), ("network.link.bandwidth",)]
        )
        self.assertEqual(self.axes[0].values, (("4", "99"), ("8", "99.9")))

    def test_that_do_not_vary_are_none(self):
        some = rows.Sweep(self.sweep.frame[:4], self.sweep.keys, {})
        self.assertEqual([axis.keys for axis in axes.find(some)], [("network.link.bandwidth",)])

    def test_are_labelled_with_their_unit(self):
        self.assertEqual(self.axes[1].label(), "link (Gbit/s)")
        self.assertEqual(axes.Axis(("some.key",), (("1",), ("2",))).label(), "some.key")

    def test_are_followed_at_the_middle_of_the_others(self):
        chosen, others = axes.along(self.sweep.frame, self.axes[1], self.axes)
        self.assertEqual(set(chosen["quantiser.bits"]), {"4"})
        self.assertEqual(len(chosen), 4)
        self.assertEqual(others, "bits of a code 4, percentile 99")


@needs_packages
class Figures(Folder):
    def test_are_drawn_along_each_axis_and_of_the_error_twice_the_same(self):
        file = self.write("methods.csv", LONG)
        for _ in range(2):
            result = self.plot(file)
            self.assertEqual(result.returncode, 0, result.stderr)
            names = sorted(path.name for path in (self.folder / "figures").iterdir())
            self.assertEqual(
                names,
                [
                    f"{figure}.{kind}"
                    for figure in (
                        "along-network-link-bandwidth",
                        "along-quantiser-bits",
                        "error-against-ratio",
                        "over-two-axes",
                    )
                    for kind in ("png", "svg")
                ],
            )
            contents = [(self.folder / "figures" / name).read_bytes() for name in names]
            self.assertEqual(contents, getattr(self, "first", contents))
            self.first = contents

    def test_are_written_behind_links_and_into_pipes(self):
        file, drawn = self.write("methods.csv", LONG), self.folder / "figures"
        link, pipe = (drawn / f"over-two-axes.{kind}" for kind in ("svg", "png"))
        drawn.mkdir()
        link.symlink_to(self.folder / "elsewhere.svg")
        os.mkfifo(pipe)
        read = []
        reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
        reader.start()
        result = self.plot(file)
        self.assertEqual(result.returncode, 0, result.stderr)
        reader.join(60)
        self.assertTrue(pipe.is_fifo() and link.is_symlink())
        self.assertEqual(read[0][:8], b"\x89PNG\r\n\x1a\n")
        self.assertIn("<svg", (self.folder / "elsewhere.svg").read_text())
        self.assertEqual([path.name for path in drawn.iterdir() if path.name.endswith(".tmp")], [])

    def test_a_folder_in_the_place_of_one_is_refused_in_one_line(self):
        place = self.folder / "figures/along-quantiser-bits.svg"
        place.mkdir(parents=True)
        result = self.plot(self.write("methods.csv", LONG))
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(result.stderr, f"plot: {place}: is a directory; name a file\n")

    def test_a_figure_that_is_interrupted_leaves_the_one_before(self):
        from unittest import mock

        from matplotlib import pyplot
        from oscar_plot import style

        def draw_half(target, **_):
            with contextlib.nullcontext(target) if hasattr(target, "write") else open(target, "wb") as stream:
                stream.write(b"half")
            raise KeyboardInterrupt

        before = self.write("a.svg", "before")
        figure = pyplot.figure()
        with mock.patch.object(figure, "savefig", draw_half), self.assertRaises(KeyboardInterrupt):
            style.save(figure, self.folder, "a")
        self.assertEqual(before.read_text(encoding="utf-8"), "before")

    def test_have_axes_with_units_and_tell_methods_apart_by_line_and_marker(self):
        points = rows.read(self.write("methods.csv", LONG))
        varied = axes.find(points)
        panels = figures.along_axis(points, varied[1], varied, "fp32").axes
        self.assertEqual(
            [panel.get_ylabel() for panel in panels],
            [
                "AllReduce (µs)",
                "speed-up over fp32 (×)",
                "slower than the fastest by (%), log above 1 %",
                "bits per value",
            ],
        )
        self.assertEqual(panels[2].get_xlabel(), "link (Gbit/s)")
        fp32, asc = panels[0].lines
        self.assertNotEqual(fp32.get_marker(), asc.get_marker())
        self.assertNotEqual(fp32.get_linestyle(), asc.get_linestyle())
        # At 4 bits: 4 us and 3 us of fp32 over 1 us and 1.5 us of asc.
        self.assertEqual(list(panels[1].lines[1].get_ydata()), [4, 2])
        self.assertEqual(list(panels[1].lines[1].get_xdata()), [10, 1000])

    def test_show_the_bits_on_nics_where_the_machines_have_nodes(self):
        # Half of the bits of all messages, in which those inside nodes are counted.
        text = LONG.replace("bits_per_value", "bits_per_value,nic_bits_per_value")
        text = text.replace(",32,5e-8", ",32,32,5e-8").replace(",4,0.2", ",4,2,0.2").replace(",8,0.01", ",8,4,0.01")
        points = rows.read(self.write("methods.csv", text))
        varied = axes.find(points)
        panel = figures.along_axis(points, varied[0], varied, "fp32").axes[3]
        self.assertEqual(panel.get_ylabel(), "bits per value on NICs")
        self.assertEqual([list(line.get_ydata()) for line in panel.lines], [[32, 32], [2, 4]])
        lines = figures.error_against_ratio(points, varied[0], varied).axes[0].lines
        self.assertEqual(list(lines[0].get_xdata()), [32 / 2, 32 / 4])

    def test_of_the_error_leave_out_methods_that_lose_nothing(self):
        points = rows.read(self.write("methods.csv", LONG))
        varied = axes.find(points)
        axis = figures.most_telling(points, varied)
        self.assertEqual(axis.keys[0], "quantiser.bits")  # 0.2 / 0.01 along it, 1 along the link
        lines = figures.error_against_ratio(points, axis, varied).axes[0].lines
        self.assertEqual([line.get_label() for line in lines], ["asc"])
        self.assertEqual(list(lines[0].get_xdata()), [32 / 4, 32 / 8])
        self.assertEqual(list(lines[0].get_ydata()), [0.2, 0.01])

    def test_of_the_error_are_left_out_where_the_axis_changes_neither_error_nor_ratio(self):
        machine = "\n".join(line for line in LONG.splitlines() if ",8,99.9," not in line) + "\n"
        points = rows.read(self.write("methods.csv", machine))
        varied = axes.find(points)
        self.assertEqual([axis.keys for axis in varied], [("network.link.bandwidth",)])
        self.assertIsNone(figures.error_against_ratio(points, varied[0], varied))
        result = self.plot(self.folder / "methods.csv")
        self.assertEqual((result.returncode, result.stderr, "error-against" in result.stdout), (0, "", False))

    def test_points_that_lie_upon_each_other_have_one_label(self):
        near = LONG.replace("99.9", "98").splitlines()
        near += [
            line.replace(",8,98,", ",9,97,").replace(",8,0.01", ",8.01,0.01002") for line in near if ",8,98," in line
        ]
        points = rows.read(self.write("methods.csv", "\n".join(near) + "\n"))
        varied = axes.find(points)
        (panel,) = figures.error_against_ratio(points, figures.most_telling(points, varied), varied).axes
        self.assertEqual([text.get_text() for text in panel.texts], ["4", "8, 9"])

    def test_labels_of_methods_that_lie_close_do_not_cover_each_other(self):
        near = LONG.replace("99.9", "98").splitlines()
        near += [line.replace(",asc,", ",rans,").replace("0.2", "0.201") for line in near if ",asc," in line]
        points = rows.read(self.write("methods.csv", "\n".join(near) + "\n"))
        varied = axes.find(points)
        (panel,) = figures.error_against_ratio(points, figures.most_telling(points, varied), varied).axes
        seen = [text.get_window_extent() for text in panel.texts if text.get_visible()]
        self.assertLess(len(seen), len(panel.texts))
        self.assertFalse(any(a.overlaps(b) for i, a in enumerate(seen) for b in seen[:i]))

    def test_rates_have_a_logarithmic_axis_and_other_numbers_where_they_span_a_decade(self):
        for values, scale in (
            (("252Gbps", "504Gbps"), "log"),
            (("2", "4"), "linear"),
            (("2", "40"), "log"),
            (("100ns", "500ns"), "linear"),
        ):
            with self.subTest(values):
                points = rows.read(
                    self.write("methods.csv", LONG.replace("10Gbps", values[0]).replace("1Tbps", values[1]))
                )
                varied = axes.find(points)
                self.assertEqual(figures.along_axis(points, varied[1], varied, "fp32").axes[0].get_xscale(), scale)

    def test_of_values_without_number_are_bars_with_hatches(self):
        points = rows.read(self.write("methods.csv", LONG.replace("10Gbps", "slow").replace("1Tbps", "fast")))
        varied = axes.find(points)
        panel, *_, last = figures.along_axis(points, varied[1], varied, "fp32").axes
        self.assertEqual([text.get_text() for text in last.get_xticklabels()], ["slow", "fast"])
        self.assertEqual(len({patch.get_hatch() for patch in panel.patches}), 2)
        self.assertEqual([patch.get_height() for patch in panel.patches], [4, 3, 1, 1.5])
        self.assertEqual([text.get_text() for text in panel.texts], ["4", "3", "1", "1.5"])


class Failures(Folder):
    def refuses(self, expected, *arguments, **environment):
        result = self.plot(*arguments, **environment)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertIn(expected, result.stderr)

    def test_missing_module_is_one_line_that_names_the_package(self):
        (self.folder / "matplotlib.py").write_text("raise ImportError(name='matplotlib')\n")
        self.refuses(
            "Python module matplotlib is missing; scripts/setup plot-packages.txt installs it",
            self.folder,
            PYTHONPATH=str(self.folder),
        )

    @needs_packages
    def test_wrong_input_is_one_line(self):
        self.refuses("none.csv: no such file", self.folder / "none.csv")
        self.refuses("no table of a sweep", self.write("other.csv", "a,b\n1,2\n"))
        self.refuses("no table of a sweep", self.write("empty.csv", ""))
        self.refuses("no table of a sweep", PLOT.parents[1] / "README.md")
        self.refuses("file is not a database", self.write("text.sqlite", "x" * 5000))
        self.refuses(
            "no point of the sweep is done", self.write("failed.csv", WIDE.replace("0,a,2,done,0,,5,7,\n", ""))
        )
        self.refuses("nothing varies", self.write("one.csv", "".join(LONG.splitlines(True)[:3])))
        self.refuses(
            "--baseline fp16: no such method; choose one of fp32, asc",
            self.write("methods.csv", LONG),
            "--baseline",
            "fp16",
        )


if __name__ == "__main__":
    unittest.main()
