"""Figures of sweeps: titles, panels, and which methods have a colour."""

import unittest

from tests.scripts.figures.drawn import Figures, look, record


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

    def test_two_axes_make_a_heat_map_of_each_methods_speed_up(self):
        import pandas
        from oscar_plot import axes, figures, rows

        frame = pandas.DataFrame(
            [
                {"ranks": ranks, "bits": bits, "method": method, "allreduce_ps": ranks * 1e6 / gain}
                for ranks in (2, 4, 8)
                for bits in (4, 8)
                for method, gain in (("fp32", 1), ("asc", bits), ("rans", ranks))
            ]
        )
        sweep = rows.Sweep(frame, ("ranks", "bits"), {"trace": "lenet-fmnist", "ranks": ""})
        varied = axes.find(sweep)
        figure = figures.over_two_axes(sweep, varied[::-1], varied, "fp32")
        shown = {panel.get_title(): [float(text.get_text()) for text in panel.texts] for panel in figure.axes[:2]}
        self.assertEqual(shown["asc"], [4, 8] * 3)  # rows of ranks
        self.assertEqual(shown["rans"], [2, 2, 4, 4, 8, 8])
        self.assertEqual(figure.axes[0].get_xlabel(), "bits")
        self.assertIsNone(
            figures.over_two_axes(
                rows.Sweep(frame[frame["method"] == "fp32"], ("ranks", "bits"), {}), varied, varied, "fp32"
            )
        )

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


if __name__ == "__main__":
    unittest.main()
