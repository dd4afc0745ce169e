"""oscar_plot.engines: which engines are on the front, and what is drawn of them."""

import unittest

from tests.scripts.figures.drawn import Figures


def row(area, time, method="asc", coder="asc"):
    return {
        "technology": "round",
        "link": "200Gbps",
        "coder": coder,
        "method": method,
        "engine_area_um2": area,
        "allreduce_us": time,
    }


class Fronts(Figures):
    def test_an_engine_that_is_larger_and_no_faster_is_not_on_the_front(self):
        from oscar_plot import engines

        rows = [row(3, 10), row(1, 30), row(2, 30), row(2, 20), row(4, 10)]
        self.assertEqual(
            [(of["engine_area_um2"], of["allreduce_us"]) for of in engines.front(rows)], [(1, 30), (2, 20), (3, 10)]
        )

    def test_a_panel_ends_above_the_line_of_what_is_not_coded(self):
        from oscar_plot import engines

        rows = [row(1e6, 300.0), row(2e6, 50.0), row(None, 10.0), row(1e3, 100.0, "fixed_point", "uncoded")]
        (panel,) = engines.figure_of(rows).axes
        self.assertAlmostEqual(panel.get_ylim()[1], 115.0)
        drawn = [list(line.get_xdata()) for line in panel.lines]
        self.assertIn([1.0, 2.0], drawn)


if __name__ == "__main__":
    unittest.main()
