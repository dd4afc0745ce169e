"""Figures of where OSCAR-HW pays: break-evens, times in parts, and error against bits and time."""

import unittest

from tests.scripts.figures.drawn import Figures, look, texts


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


if __name__ == "__main__":
    unittest.main()
