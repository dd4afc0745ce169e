"""Figures of the ablation of OSCAR-HW: its waterfall, and the bars of its variants."""

import unittest

from tests.scripts.figures.drawn import Figures, texts
from tests.scripts.loading import script

oscar_hw = script("oscar_hw")


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
                "64 lanes at 246 MHz, 1 Gbit/s",
                "64 lanes at 246 MHz, 400 Gbit/s",
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


if __name__ == "__main__":
    unittest.main()
