"""python/oscar_training.loop: real training on a simulated clock."""

import unittest
from unittest import mock

from oscar_training import TrainingError
from oscar_training.settings import Compute, Method, Settings
from oscar_workloads.workloads import WORKLOADS

try:
    from oscar_training import loop, network
except ImportError as error:
    raise unittest.SkipTest(f"no Python module {error.name}") from None
if not WORKLOADS["lenet-fmnist"].source.is_there():
    raise unittest.SkipTest("no Fashion-MNIST (Debian package dataset-fashion-mnist)")

SIMULATED = {"methods": [{"allreduce_ps": 3_000_000_000_000}]}  # 3 s, whatever the size


def settings(**changes):
    return Settings(
        **{
            "workload": "lenet-fmnist",
            "compute": Compute(1, 2, 0.5),
            "machine": {},
            "methods": (),
            "ranks": 2,
            "steps": 3,
            "gpu": {key: 0 for key in ("elements", "comparisons", "additions", "multiplications", "draws", "launch")},
            "gpu_source": "",
            "evaluate": 2,
            **changes,
        }
    )


def train(method, **changes):
    with mock.patch.object(
        loop, "Network", lambda machine, ranks: network.Network(machine, ranks, lambda config: SIMULATED)
    ):
        return loop.train(settings(**changes), method, seed=1)


class Loop(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.dense = train(Method("dense", "dense"))

    def test_the_clock_goes_on_by_the_passes_and_the_collective(self):
        self.assertEqual(
            [(row["step"], row["seconds"]) for row in self.dense["rows"]], [(2, 13), (3, 19.5)]
        )  # 3.5 + 3 a step
        self.assertEqual([row["payload_bytes"] for row in self.dense["rows"]], [2 * 4 * 32326, 3 * 4 * 32326])

    def test_keeping_all_is_dense_to_the_last_bit(self):
        everything = train(Method("all", "top_k", {"factor": 1.0}))
        self.assertEqual(
            [(row["loss"], row["quality"]) for row in everything["rows"]],
            [(row["loss"], row["quality"]) for row in self.dense["rows"]],
        )

    def test_floats_and_the_factors_of_controllers_are_counted(self):
        self.assertEqual([row["floats"] for row in self.dense["rows"]], [2 * 32326, 3 * 32326])
        self.assertEqual(self.dense["factors"], {})
        steered = train(Method("a", "accordion", {"compressor": "top_k", "low": 10, "high": 100, "period": 1}), epoch=1)
        self.assertEqual(set(steered["factors"]), {"10", "100"})
        self.assertEqual(sum(steered["factors"].values()), 3 * 10)  # steps, tensors

    def test_the_gains_of_factors_that_were_tried_are_averaged(self):
        self.assertEqual(self.dense["gains"], {})
        gains = train(Method("g", "gravac", {"compressor": "top_k", "min_factor": 10, "max_factor": 100, "window": 2}))[
            "gains"
        ]
        self.assertEqual(set(gains), {"10", "20", "40"})  # the candidate moves on after two steps of three
        self.assertTrue(1 > gains["10"] > gains["20"] > gains["40"] > 0, gains)

    def test_the_learning_rate_may_be_another(self):
        rows = {
            rate: train(Method("dense", "dense"), learning_rate=rate)["rows"] for rate in (0.05, 0.01)
        }  # the workload's is 0.05
        self.assertEqual(rows[0.05], self.dense["rows"])
        self.assertNotEqual(rows[0.01][-1]["loss"], rows[0.05][-1]["loss"])

    def test_keeping_little_is_not_dense(self):
        little = train(Method("little", "top_k", {"factor": 100.0}))
        self.assertNotEqual(little["rows"][-1]["loss"], self.dense["rows"][-1]["loss"])

    def test_training_lowers_the_loss(self):
        rows = train(Method("dense", "dense"), steps=40, evaluate=20)["rows"]
        self.assertLess(rows[1]["loss"], rows[0]["loss"])

    def test_gradients_that_are_not_finite_end_it_and_say_where(self):
        with mock.patch.object(
            loop.training, "loss_of", lambda model, x, y: sum(p.sum() for p in model.parameters()) * float("nan")
        ):
            record = train(Method("dense", "dense"))
        self.assertEqual(record["ended"], "at step 1: gradient of rank 0: element 0 is nan")
        self.assertEqual(record["rows"], [])

    def test_other_mistakes_are_no_end_of_a_training(self):
        def refused(config):
            raise ValueError("no such topology")

        with mock.patch.object(
            loop, "Network", lambda machine, ranks: network.Network(machine, ranks, refused)
        ), self.assertRaisesRegex(ValueError, "no such topology"):
            loop.train(settings(), Method("dense", "dense"), seed=1)

    def test_a_workload_that_does_not_exist_is_refused(self):
        with self.assertRaisesRegex(TrainingError, "lenet"):
            train(Method("dense", "dense"), workload="lenet")


if __name__ == "__main__":
    unittest.main()
