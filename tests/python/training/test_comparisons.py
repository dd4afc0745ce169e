"""python/oscar_training.summary and .curves: how methods compare, what is told of GraVAC and of OSCAR-SW."""

import tempfile
import unittest
from pathlib import Path

from oscar_training import comparisons, summary


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
    told = {"method": kind, "kind": kind, "seed": 1, "rows": rows, "factors": factors or {}, "ended": ended}
    return {**told, "parameters": {}, **more}


MEASURES = comparisons.Measures(True, 0.1)


class Gravac(unittest.TestCase):
    TOP_K = {"parameters": {"compressor": "top_k"}}

    def rows(self, **methods):
        return list(summary._gravac({name: [run] for name, run in methods.items()}, 0.8, MEASURES))

    def test_it_is_measured_against_the_quickest_static_factor_that_comes_to_the_target(self):
        (_, static), (_, ours) = self.rows(
            ten=record("top_k", [0.8] * 4, 2),
            hundred=record("dgc", [0.8] * 4, 1.5),
            thousand=record("top_k", [0.7] * 4, 0.5),
            ours=record(
                "gravac", [0.8] * 4, 0.75, factors={"10": 3, "40": 1}, **self.TOP_K, gains={"10": 0.9, "40": 0.5}
            ),
        )
        self.assertEqual((static["reach"], static["first"], static["seconds"]), ("ten, hundred", "hundred", 4.5))
        self.assertEqual((static["quickest"], static["quickest_ms"], static["step_ms"]), ("thousand", 50, 150))
        self.assertEqual(static["bound"], 3)
        self.assertEqual((ours["method"], ours["to_target"]), ("ours", "2.25 s"))
        self.assertEqual((ours["first"], ours["x_first"]), ("hundred", 2))
        self.assertEqual((ours["alike"], f"{ours['x_alike']:.2f}"), ("ten", "2.67"))
        self.assertEqual((ours["factors"], ours["gains"]), ("10x in 75 %, 40x in 25 %", "10x 0.90, 40x 0.50"))

    def test_where_nobody_comes_there_there_is_no_factor(self):
        (_, static), (_, ours) = self.rows(
            ten=record("top_k", [0.7] * 4), ours=record("gravac", [0.7] * 4, **self.TOP_K)
        )
        self.assertEqual((static["reach"], static["first"], static["step_ms"], static["bound"]), ("", None, None, None))
        self.assertEqual(
            (ours["to_target"], ours["x_first"], ours["x_alike"], ours["factors"]), ("never", None, None, "")
        )

    def test_nothing_is_said_without_it(self):
        self.assertEqual(self.rows(ten=record("top_k", [0.7] * 4)), [])


def rivals(**methods):
    """{(one of COLUMNS, method, rival): the rest of its row}."""
    rows = summary._rivals({name.replace("_", " "): [run] for name, run in methods.items()}, MEASURES)
    return {(name, row["method"], row.get("rival")): row for name, row in rows}


class Rivals(unittest.TestCase):
    def sketched(self, ours, *theirs):
        """The row at equal bytes, and those at equal quality."""
        found = rivals(ours=ours, **{f"sketch_{i}": run for i, run in enumerate(theirs)})
        return found.pop(("sketches", "ours", None), None), found

    def times(self, row):
        return row["seconds"], row["of_rival"], row["x"]

    def test_accordion_is_held_against_gravac(self):
        found = rivals(steered=record("accordion", [0.7] * 4, 1), gravac=record("gravac", [0.8] * 4, 2))
        self.assertEqual(self.times(found["rivals", "steered", "gravac"]), (3, 6, 2))

    def test_accordion_is_held_against_gravac_of_its_own_compressor_where_there_is_one(self):
        found = rivals(
            steered=record("accordion", [0.7] * 4, parameters={"compressor": "redsync"}),
            alike=record("gravac", [0.8] * 4, parameters={"compressor": "redsync"}),
            other=record("gravac", [0.8] * 4, parameters={"compressor": "dgc"}),
        )
        self.assertEqual(list(found), [("rivals", "steered", "alike")])

    def test_gravac_is_held_against_its_own_compressor_and_topk_of_10x(self):
        found = rivals(
            ours=record("gravac", [0.8] * 4, 1, parameters={"compressor": "dgc"}),
            ten=record("top_k", [0.7] * 4, 2, parameters={"factor": 10}),
            more=record("top_k", [0.7] * 4, 2, parameters={"factor": 100}),
            own=record("dgc", [0.7] * 4, 3, parameters={"factor": 100}),
        )
        self.assertEqual(list(found), [("rivals", "ours", "ten"), ("rivals", "ours", "own")])
        self.assertEqual(self.times(found["rivals", "ours", "ten"]), (3, 6, 2))

    def test_quality_at_equal_bytes_lies_between_the_neighbours(self):
        row, _ = self.sketched(
            record("oscar_sw", [0.75] * 4, mebibytes=2),
            record("count_sketch", [0.6] * 4, mebibytes=1),
            record("count_sketch", [0.8] * 4, mebibytes=4),
        )
        self.assertEqual((row["mib"], row["quality"]), (2, 0.75))
        self.assertAlmostEqual(row["at_equal_bytes"], 0.7)  # half-way by logarithm
        self.assertAlmostEqual(row["better_by"], 0.05)

    def test_beyond_all_of_them_there_is_no_comparison_at_equal_bytes(self):
        for mebibytes in (0.5, 8):
            row, others = self.sketched(
                record("oscar_sw", [0.75] * 4, mebibytes=mebibytes), record("count_sketch", [0.6] * 4, mebibytes=1)
            )
            self.assertEqual((row["mib"], row["at_equal_bytes"], row["better_by"]), (mebibytes, None, None))
            self.assertEqual(list(others), [("rivals", "ours", "sketch 0")])
        same, _ = self.sketched(record("oscar_sw", [0.75] * 4), record("count_sketch", [0.6] * 4))
        self.assertAlmostEqual(same["at_equal_bytes"], 0.6)
        self.assertAlmostEqual(same["better_by"], 0.15)

    def test_time_is_to_the_lower_of_the_final_qualities(self):
        _, found = self.sketched(record("oscar_sw", [0.6, 0.6, 0.6, 0.9], 1), record("count_sketch", [0.6] * 4, 2))
        self.assertEqual(self.times(found["rivals", "ours", "sketch 0"]), (3, 6, 2))

    def test_of_several_seeds_it_is_a_deviation_lower(self):
        ours = [record("oscar_sw", [0.5, 0.5, q, q, q]) for q in (0.7, 0.8, 0.9)]
        theirs = [record("count_sketch", [0.9] * 5, 2) for _ in range(3)]
        equal = MEASURES.times_at_equal_quality(theirs, ours)
        self.assertEqual(equal, (6.0, 4.0))  # to 0.7 over three evaluations

    def test_lhc_is_a_rival_at_equal_quality_only(self):
        found = rivals(
            ours=record("oscar_sw", [0.6] * 4, 1),
            sketch=record("count_sketch", [0.6] * 4, 2),
            lhc_10x=record("lhc", [0.6] * 4, 4),
        )
        self.assertEqual(
            list(found), [("sketches", "ours", None), ("rivals", "ours", "sketch"), ("rivals", "ours", "lhc 10x")]
        )
        self.assertEqual(self.times(found["rivals", "ours", "sketch"]), (3, 6, 2))
        self.assertEqual(found["rivals", "ours", "lhc 10x"]["x"], 4)

    def test_one_that_diverged_is_no_rival(self):
        diverged = record("count_sketch", [0.1], ended="at step 7: NaN")
        self.assertEqual(self.sketched(record("oscar_sw", [0.75] * 4), diverged), (None, {}))

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
                ours = [record("oscar_sw", [q] * 4) for q in qualities]
                for pair in ((ours, sketch), (sketch, ours)):
                    self.assertEqual(MEASURES.times_at_equal_quality(*pair) != (None, None), clear)
        losses = comparisons.Measures(False, 3.0)
        pair = [record("lhc", [2.98] * 4)], [record("count_sketch", [2.0] * 4)]
        self.assertEqual(losses.times_at_equal_quality(*pair), (None, None))

    def test_losses_are_better_where_they_are_less(self):
        measures = comparisons.Measures(False, 3)
        self.assertEqual(measures.better_by(1, 3), 2)
        pair = [record("lhc", [2.0, 2, 2, 1, 1, 1], 1)], [record("count_sketch", [2.0] * 4, 2)]
        self.assertEqual(measures.times_at_equal_quality(*pair), (3, 6))

    def test_equal_ones_are_better_by_a_zero_without_a_minus(self):
        for rising in (True, False):
            self.assertEqual(f"{comparisons.Measures(rising, 3).better_by(1.5, 1.5):+.4f}", "+0.0000")


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
