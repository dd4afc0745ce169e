"""python/oscar_training.summary: the tables of trainings (how methods compare: test_comparisons.py)."""

import json
import tempfile
import unittest
from pathlib import Path

from oscar_summary import records as csv
from oscar_summary.command import InputError
from oscar_training import comparisons, summary


class Summaries(unittest.TestCase):
    def record(self, method, seed, qualities, seconds=1.0):
        rows = [
            {
                "step": 50 * (i + 1),
                "seconds": seconds * (i + 1),
                "kernels": 1e-3 * (i + 1),
                "payload_bytes": 2**20 * (i + 1),
                "floats": 100 * (i + 1),
                "quality": q,
            }
            for i, q in enumerate(qualities)
        ]
        return {
            "workload": "lenet-fmnist",
            "method": method,
            "kind": method,
            "factors": {},
            "seed": seed,
            "metric": "test accuracy",
            "ended": "after all steps",
            "rows": rows,
        }

    def test_a_file_that_is_no_record_is_refused_in_one_line(self):
        whole = self.record("dense", 1, [0.5])
        for content, words in (
            ("{", r":1:2: "),
            ("[" * 100_000, ": is nested too deeply"),
            ("3", ": is no map"),
            ("{}", ": has no method"),
            (json.dumps(whole | {"seed": "1"}), ": has no seed"),
            (json.dumps({key: value for key, value in whole.items() if key != "rows"}), ": has no rows"),
        ):
            with tempfile.TemporaryDirectory() as folder:
                (Path(folder) / "w").mkdir()
                (Path(folder) / "w/dense-seed1.json").write_text(content)
                with self.assertRaisesRegex(
                    InputError, f"^[^\n]*w/dense-seed1.json{words}[^\n]*remove it and train once more$"
                ):
                    summary.write(Path(folder))

    def files(self, *records):
        """{name: rows} of what is written of these records of a training."""
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "w").mkdir()
            for i, record in enumerate(records):
                (Path(folder) / "w" / f"{i}.json").write_text(json.dumps(record))
            summary.write(Path(folder))
            return {name: csv.read(Path(folder) / f"{name}.csv")[1] for name in summary.COLUMNS}

    def method(self, *runs, dense=None):
        measures = comparisons.Measures(True, 0.1)
        return summary._method(runs, dense, measures.reached(dense) if dense else None, measures)

    def test_time_is_that_of_the_median_seed_over_three_evaluations(self):
        runs = [
            self.record("m", seed, [0.5, 0.9, 0.9, 0.9, 0.9], seconds) for seed, seconds in ((1, 1), (2, 2), (3, 3))
        ]
        measures = comparisons.Measures(True, 0.1)
        self.assertEqual(measures.time_to(runs, 0.9), 2 * 4)  # the mean of rows 2 to 4 is the first at 0.9
        self.assertIsNone(measures.time_to(runs, 0.91))

    def test_half_of_the_seeds_are_not_enough(self):
        runs = [self.record("m", 1, [0.9] * 3), self.record("m", 2, [0.1] * 3)]
        self.assertIsNone(comparisons.Measures(True, 0.1).time_to(runs, 0.5))

    def test_losses_fall_to_their_target(self):
        self.assertEqual(comparisons.Measures(False, 5).time_to([self.record("m", 1, [3, 2, 1, 1, 1])], 1.5), 4)

    def test_the_target_is_a_deviation_below_dense(self):
        dense = [self.record("dense", seed, [q] * 3) for seed, q in ((1, 0.8), (2, 0.9))]
        self.assertAlmostEqual(comparisons.Measures(True, 0.1).reached(dense), 0.85 - 0.0707, 4)
        self.assertAlmostEqual(comparisons.Measures(False, 5).reached(dense), 0.85 + 0.0707, 4)

    def test_a_file_has_dense_first_and_tells_who_ended_early(self):
        early = {**self.record("z", 1, []), "ended": "at step 7: NaN"}
        found = self.files(self.record("a", 1, [0.9] * 3, 0.5), self.record("dense", 1, [0.8] * 3), early)
        dense, better, none = found["methods"]
        self.assertEqual([row["method"] for row in (dense, better, none)], ["dense", "a", "z"])
        for key, value in {
            **{"quality": 0.9, "to_dense": 0.1, "to_target": "1.50 s", "x_dense": 2, "x_equal": 2, "steps": 150},
            **{"seconds": 1.5, "x_seconds": 2, "mib": 3, "x_mib": 1, "x_floats": 1, "gpu_ms": 0.02, "deviation": None},
        }.items():
            self.assertEqual(better[key], value, key)
        self.assertEqual((none["seeds"], none["steps"]), (1, 0))
        self.assertEqual({none[key] for key in none if key not in ("training", "method", "seeds", "steps")}, {None})
        (training,) = found["trainings"]
        self.assertEqual((training["target"], training["chance"]), (0.8, 0.1))
        self.assertEqual((training["records"], training["curves"]), (3, None))
        self.assertEqual(found["ended"], [{"training": "w", "method": "z", "seed": 1, "ended": "at step 7: NaN"}])

    def test_the_overview_has_a_row_for_each_method_of_the_trainings_that_are_shown(self):
        lenet = [
            {"training": "lenet-fmnist", "method": name, "x_equal": x, "x_mib": 2} for name, x in (("a", 1), ("b", 3))
        ]
        gpt = [{"training": "gpt-kjv", "method": "a", "x_equal": 5}]
        first, second = summary._overview([*lenet, {"training": "gravac", "method": "c"}, *gpt])
        self.assertEqual((first["method"], first["lenet_x_equal"], first["lenet_x_mib"]), ("b", 3, 2))
        self.assertEqual((second["method"], second["lenet_x_equal"], second["gpt_x_equal"]), ("a", 1, 5))

    def test_a_training_with_too_few_evaluations_is_not_said_to_never_come_to_the_target(self):
        records = (
            self.record("dense", 1, [0.5, 0.7]),
            self.record("short", 1, [0.6, 0.7]),
            self.record("x", 1, [0.1] * 3),
        )
        words = {row["method"]: row["to_target"] for row in self.files(*records)["methods"]}
        self.assertEqual(words, {"dense": "too few evaluations", "short": "too few evaluations", "x": "never"})

    def test_one_that_ended_early_has_no_time_and_bytes_of_a_whole_training(self):
        dense, early = self.record("dense", 1, [0.8] * 3), {
            **self.record("m", 1, [0.1] * 2),
            "ended": "at step 120: NaN",
        }
        self.assertFalse({"seconds", "mib", "x_seconds", "x_mib", "x_floats"} & set(self.method(early, dense=[dense])))
        row = self.method(early, self.record("m", 2, [0.8] * 3, 0.5), dense=[dense])
        self.assertEqual((row["seconds"], row["x_seconds"]), (1.5, 2))


if __name__ == "__main__":
    unittest.main()
