"""Figures of trainings: titles, bands, targets, and what a curve is."""

import unittest
from types import SimpleNamespace

from tests.scripts.figures.drawn import Figures, coloured, record, texts


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


if __name__ == "__main__":
    unittest.main()
