"""Figures of saturation: latency against load beside what was published."""

import unittest

from tests.scripts.figures.drawn import Figures, texts, traffic
from tests.scripts.loading import script

saturation = script("saturation")


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


if __name__ == "__main__":
    unittest.main()
