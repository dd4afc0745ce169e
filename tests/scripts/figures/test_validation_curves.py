"""Figures of validation: bus bandwidth as measured and as predicted, and the errors."""

import unittest
from types import SimpleNamespace

from tests.scripts.figures.drawn import Figures, texts
from tests.scripts.loading import script

validate = script("validate")


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


if __name__ == "__main__":
    unittest.main()
