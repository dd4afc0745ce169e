"""python/oscar_training.comparisons and .curves: what is told of GraVAC and of OSCAR-SW."""

import tempfile
import unittest
from pathlib import Path

from oscar_training import comparisons, notes, summary


def record(kind, qualities, seconds=1.0, mebibytes=1.0, factors=None, ended="after all steps", **more):
    rows = [
        {
            "step": 10 * (i + 1),
            "seconds": seconds * (i + 1),
            "payload_bytes": mebibytes * 2**20 * (i + 1) / len(qualities),
            "floats": 1,
            "quality": q,
        }
        for i, q in enumerate(qualities)
    ]
    return {"method": kind, "kind": kind, "seed": 1, "rows": rows, "factors": factors or {}, "ended": ended, **more}


MEASURES = comparisons.Measures(True, 0.1, summary.quality, summary.target_of, summary.time_to)


class Gravac(unittest.TestCase):
    TOP_K = {"parameters": {"compressor": "top_k"}}

    def lines(self, **methods):
        return " ".join(comparisons.gravac({name: [run] for name, run in methods.items()}, 0.8, MEASURES))

    def test_it_is_measured_against_the_quickest_static_factor_that_comes_to_the_target(self):
        text = self.lines(
            ten=record("top_k", [0.8] * 4, 2),
            hundred=record("dgc", [0.8] * 4, 1.5),
            thousand=record("top_k", [0.7] * 4, 0.5),
            ours=record(
                "gravac", [0.8] * 4, 0.75, factors={"10": 3, "40": 1}, **self.TOP_K, gains={"10": 0.9, "40": 0.5}
            ),
        )
        self.assertIn("ten, hundred come to the target, hundred first: in 4.50 s.", text)
        self.assertIn(
            "ours: 2.25 s, 2.00 times as fast as hundred, 2.67 times as fast as ten; its factors: 10x in 75 %, 40x in "
            "25 %; mean gains: 10x 0.90, 40x 0.50.",
            text,
        )
        self.assertIn(
            "50.00 ms with thousand and 150.00 with hundred: no controller can be more than 3.00 times as fast", text
        )

    def test_where_nobody_comes_there_it_says_so(self):
        text = self.lines(ten=record("top_k", [0.7] * 4), ours=record("gravac", [0.7] * 4, **self.TOP_K))
        self.assertIn("No static factor comes to the target.", text)
        self.assertIn("ours: never; its factors: none.", text)

    def test_nothing_is_said_without_it(self):
        self.assertEqual(self.lines(ten=record("top_k", [0.7] * 4)), "")

    def test_accordion_is_held_against_it_at_equal_quality(self):
        text = self.lines(
            ten=record("top_k", [0.7] * 4),
            steered=record("accordion", [0.7] * 4, 1),
            ours=record("gravac", [0.8] * 4, 2, **self.TOP_K),
        )
        self.assertIn("steered against GraVAC at equal quality: 2.00 times as fast as ours (3.00 s to 6.00).", text)


class Notes(unittest.TestCase):
    LOSSES = comparisons.Measures(False, 3, summary.quality, summary.target_of, summary.time_to)

    def text(self, measures=MEASURES, **methods):
        methods = {name: [run] for name, run in methods.items()}
        return " ".join(notes.of(methods, methods.get("dense"), measures))

    def test_dgc_without_momentum_correction_is_named_so(self):
        self.assertIn(
            "ours: DGC's selection and warm-up alone, for the momentum is the optimiser's",
            self.text(ours=record("dgc", [0.5] * 3, parameters={"momentum": 0})),
        )
        self.assertEqual(self.text(ours=record("dgc", [0.5] * 3, parameters={})), "")

    def test_the_load_of_what_peels_is_stated(self):
        self.assertIn(
            "a and b: 0.84 to 1.33 elements fall to a cell, above the 0.82",
            self.text(a=record("lhc", [0.5] * 3), b=record("tagc", [0.5] * 3)),
        )

    def test_the_loss_of_tagc_stands_beside_the_published_one(self):
        text = self.text(self.LOSSES, dense=record("dense", [2.0] * 3), ours=record("tagc", [2.2] * 3))
        self.assertIn("ours: its loss is +10.0 % of dense's; its paper has +3.6 %.", text)
        self.assertNotIn(
            "its loss", self.text(dense=record("dense", [0.8] * 3), ours=record("tagc", [0.7] * 3))
        )  # an accuracy is no loss


class OscarSw(unittest.TestCase):
    def cells(self, ours, *theirs):
        methods = {"ours": [ours], **{f"sketch {i}": [run] for i, run in enumerate(theirs)}}
        lines = comparisons.oscar_sw(methods, MEASURES)
        return [cell.strip() for cell in lines[-1].split("|")[1:-1]] if lines else []

    def test_quality_at_equal_bytes_lies_between_the_neighbours(self):
        cells = self.cells(
            record("oscar_sw", [0.75] * 4, mebibytes=2),
            record("count_sketch", [0.6] * 4, mebibytes=1),
            record("count_sketch", [0.8] * 4, mebibytes=4),
        )
        self.assertEqual(cells[:5], ["ours", "2.00", "0.7500", "0.7000", "+0.0500"])  # half-way by logarithm

    def test_beyond_all_of_them_there_is_no_comparison_at_equal_bytes(self):
        for mebibytes in (0.5, 8):
            cells = self.cells(
                record("oscar_sw", [0.75] * 4, mebibytes=mebibytes), record("count_sketch", [0.6] * 4, mebibytes=1)
            )
            self.assertEqual(cells[:6], ["ours", f"{mebibytes:.2f}", "0.7500", "-", "-", "sketch 0"])
        same = self.cells(record("oscar_sw", [0.75] * 4, mebibytes=1), record("count_sketch", [0.6] * 4, mebibytes=1))
        self.assertEqual(same[3:5], ["0.6000", "+0.1500"])

    def test_time_is_to_the_lower_of_the_final_qualities(self):
        cells = self.cells(record("oscar_sw", [0.6, 0.6, 0.6, 0.9], 1), record("count_sketch", [0.6] * 4, 2))
        self.assertEqual(cells[5:], ["sketch 0", "3.00", "6.00", "2.00"])

    def test_of_several_seeds_it_is_a_deviation_lower(self):
        ours = [record("oscar_sw", [0.5, 0.5, q, q, q]) for q in (0.7, 0.8, 0.9)]
        theirs = [record("count_sketch", [0.9] * 5, 2) for _ in range(3)]
        equal = MEASURES.times_at_equal_quality(theirs, ours)
        self.assertEqual(equal, (6.0, 4.0))  # to 0.7 over three evaluations

    def test_lhc_is_a_rival_at_equal_quality_only(self):
        methods = {
            "ours": [record("oscar_sw", [0.6] * 4, 1)],
            "sketch": [record("count_sketch", [0.6] * 4, 2)],
            "lhc 10x": [record("lhc", [0.6] * 4, 4)],
        }
        lines = comparisons.oscar_sw(methods, MEASURES)
        self.assertTrue(lines[1].endswith("| x | x lhc 10x |"), lines[1])
        self.assertTrue(lines[-1].endswith("| 3.00 | 6.00 | 2.00 | 4.00 |"), lines[-1])

    def test_one_that_diverged_is_no_rival(self):
        self.assertEqual(
            self.cells(record("oscar_sw", [0.75] * 4), record("count_sketch", [0.1], ended="at step 7: NaN")), []
        )

    def test_there_is_no_equal_quality_where_one_is_not_clearly_better_than_chance(self):
        sketch = [record("count_sketch", [0.8] * 4)]
        for qualities, clear in (
            ((0.16,), False),  # less than a tenth of the way from 0.1 to 0.8, which is 0.17
            ((0.18,), True),
            ((0.8,), True),
            ((0.1, 0.9, 0.9), False),  # 0.633 - 0.1 is less than three deviations of 0.46
            ((0.7, 0.8, 0.9), True),  # 0.8 - 0.1 is more than three of 0.1
            ((-0.2,), False),
        ):
            with self.subTest(qualities):
                times = MEASURES.times_at_equal_quality([record("oscar_sw", [q] * 4) for q in qualities], sketch)
                self.assertEqual(times != (None, None), clear, times)
                self.assertEqual(
                    MEASURES.times_at_equal_quality(sketch, [record("oscar_sw", [q] * 4) for q in qualities])
                    != (None, None),
                    clear,
                )
        losses = comparisons.Measures(False, 3.0, summary.quality, summary.target_of, summary.time_to)
        self.assertEqual(
            losses.times_at_equal_quality([record("lhc", [2.98] * 4)], [record("count_sketch", [2.0] * 4)]),
            (None, None),
        )

    def test_losses_are_better_where_they_are_less(self):
        measures = comparisons.Measures(False, 3, summary.quality, summary.target_of, summary.time_to)
        self.assertEqual((measures.worse(1, 2), measures.better_by(1, 3)), (2, 2))

    def test_equal_ones_are_better_by_a_zero_without_a_minus(self):
        for rising in (True, False):
            measures = comparisons.Measures(rising, 3, summary.quality, summary.target_of, summary.time_to)
            self.assertEqual(f"{measures.better_by(1.5, 1.5):+.4f}", "+0.0000")


class Curves(unittest.TestCase):
    def test_figures_are_drawn_of_what_there_is(self):
        try:
            from oscar_training import curves
        except ImportError as error:
            self.skipTest(f"no Python module {error.name}")
        with tempfile.TemporaryDirectory() as folder:
            some = record("top_k", [0.1, 0.2], metric="accuracy")
            curves.draw({"a": [some], "none": [record("dgc", [])]}, "a title", Path(folder) / "w")
            curves.draw({"none": [record("dgc", [])]}, "a title", Path(folder) / "nothing")
            self.assertEqual(sorted(path.name for path in Path(folder).iterdir()), ["w.png", "w.svg"])


if __name__ == "__main__":
    unittest.main()
