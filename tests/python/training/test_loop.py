"""python/oscar_training.loop: real training on a simulated clock."""

import unittest
from unittest import mock

from oscar_training import TrainingError
from oscar_training.settings import Method
from oscar_workloads.workloads import WORKLOADS
from support import made

try:
    import torch
    from oscar_training import loop, machine
    from oscar_workloads import training
except ImportError as error:
    raise unittest.SkipTest(f"no Python module {error.name}") from None
if not WORKLOADS["lenet-fmnist"].source.is_there():
    raise unittest.SkipTest("no Fashion-MNIST (Debian package dataset-fashion-mnist)")

MACHINE = {
    "step": {"forward": "1ms", "backward": "2ms", "optimiser": "500us"},
    "network": {"topology": {"kind": "star"}, "link": {"bandwidth": "400Mbps", "propagation": "500ns"}},
}
VALUES = 32326


def train(method, **changes):
    changes = {"steps": 3, "evaluate": 2, **changes}
    return loop.train(made(machine=MACHINE, **changes), method, seed=1)


class Loop(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.dense = train(Method("dense", "dense"))

    def test_the_clock_goes_on_by_the_passes_and_the_collective(self):
        first, second = self.dense["rows"]
        self.assertEqual((first["step"], second["step"]), (2, 3))
        step = first["seconds"] / 2
        self.assertAlmostEqual(second["seconds"], 3 * step)
        self.assertAlmostEqual(step, 3.5e-3 + first["collectives"] / 2)  # one bucket: nothing is hidden
        # A ring of two ranks sends the gradient once in each direction, at 400 Mbit/s, with headers and latencies.
        self.assertAlmostEqual(first["collectives"] / 2, 32 * VALUES / 400e6, delta=0.1 * first["collectives"] / 2)
        self.assertEqual([row["payload_bytes"] for row in self.dense["rows"]], [2 * 4 * VALUES, 3 * 4 * VALUES])

    def test_dense_training_is_that_of_the_mean_gradient_without_this_loop(self):
        workload = WORKLOADS["lenet-fmnist"]
        training.be_deterministic()
        model = training.new_model(workload, 1)
        sgd = torch.optim.SGD(model.parameters(), lr=workload.lr, momentum=workload.momentum)
        batches = workload.source.load().batches(2, workload.batch, 1)
        losses = []
        for _, (inputs, targets) in zip(range(4), batches):
            sgd.zero_grad()
            loss = sum(training.loss_of(model, inputs[rank], targets[rank]) for rank in range(2)) / 2
            loss.backward()
            sgd.step()
            losses.append(loss.item())
        rows = train(Method("dense", "dense"), steps=4, evaluate=1)["rows"]
        for ours, theirs in zip([row["loss"] for row in rows], losses, strict=True):
            self.assertAlmostEqual(ours, theirs, 5)

    def test_keeping_all_is_dense_to_the_last_bit(self):
        everything = train(Method("all", "top_k", {"factor": 1.0}))
        self.assertEqual(
            [(row["loss"], row["quality"]) for row in everything["rows"]],
            [(row["loss"], row["quality"]) for row in self.dense["rows"]],
        )

    def test_floats_and_the_factors_of_controllers_are_counted(self):
        self.assertEqual([row["floats"] for row in self.dense["rows"]], [2 * VALUES, 3 * VALUES])
        self.assertEqual(self.dense["factors"], {})
        steered = train(Method("a", "accordion", {"compressor": "top_k", "low": 10, "high": 100, "period": 1}), epoch=1)
        self.assertEqual(set(steered["factors"]), {"10", "100"})
        self.assertEqual(sum(steered["factors"].values()), 3 * 10)  # steps, tensors

    def test_the_gains_of_factors_that_were_tried_are_averaged(self):
        self.assertEqual(self.dense["gains"], {})
        gravac = Method("g", "gravac", {"compressor": "top_k", "min_factor": 10, "max_factor": 100, "window": 2})
        trained = train(gravac)
        gains, throughputs = trained["gains"], trained["throughputs"]
        self.assertEqual(set(gains), {"1", "10", "20", "40"})  # the candidate moves on after two steps of three
        self.assertTrue(1 == gains["1"] > gains["10"] > gains["20"] > gains["40"] > 0, gains)
        self.assertEqual(set(throughputs), {"1"})  # no gain reaches epsilon, so that all is sent
        self.assertGreater(throughputs["1"], 0)

    def test_momentum_is_the_optimisers_unless_the_method_brings_it(self):
        velocity = {"factor": 1, "momentum": 0.9, "masking": False}  # all is sent, so that the mean is the velocity
        theirs, ours = (
            [row["loss"] for row in train(Method("d", "dgc", parameters))["rows"]]
            for parameters in (velocity, {**velocity, "momentum": 0.5})
        )
        dense = [row["loss"] for row in self.dense["rows"]]
        self.assertTrue(all(abs(a - b) < 1e-5 for a, b in zip(theirs, dense)), (theirs, dense))
        self.assertGreater(abs(ours[-1] - dense[-1]), 1e-4)

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

    def test_a_mean_that_is_not_finite_ends_it_and_says_where(self):
        def large(model, inputs, targets):
            return sum(p.sum() for p in model.parameters()) * 3e38

        with mock.patch.object(loop.training, "loss_of", large):
            record = train(Method("dense", "dense"))
        self.assertRegex(record["ended"], "^at step 1: method dense: .* the mean of element 0 is inf")

    def test_kernels_of_the_gpu_take_time(self):
        compressed = train(Method("little", "top_k", {"factor": 100.0}))["rows"][-1]
        self.assertGreater(compressed["kernels"], 0)
        self.assertGreater(compressed["collectives"], compressed["kernels"])
        coded = train(Method("coded", "asc"))["rows"][-1]
        self.assertGreater(coded["kernels"], 0)  # they look for the scale of the codes
        self.assertLess(coded["kernels"], compressed["kernels"])
        self.assertLess(coded["payload_bytes"], self.dense["rows"][-1]["payload_bytes"] / 3)

    def test_other_mistakes_are_no_end_of_a_training(self):
        with mock.patch.object(machine, "run", side_effect=ValueError("no such topology")), self.assertRaisesRegex(
            ValueError, "no such topology"
        ):
            train(Method("dense", "dense"))

    def test_a_workload_that_does_not_exist_is_refused(self):
        with self.assertRaisesRegex(TrainingError, "lenet"):
            train(Method("dense", "dense"), workload="lenet")


if __name__ == "__main__":
    unittest.main()
