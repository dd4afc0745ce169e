"""A training under way on the simulated machine."""

import unittest

import numpy as np
import oscar_sim

MACHINE = {"ranks": 4, "network": {"topology": {"kind": "star"}, "link": {"bandwidth": "10Gbps"}}}
LAYERS = [("first", (40, 30)), ("bias", (40,)), ("last", (10, 40))]
VALUES = 40 * 30 + 40 + 10 * 40


def gradients(seed, ranks=4):
    return [np.random.RandomState(100 * seed + rank).laplace(size=VALUES).astype(np.float32) for rank in range(ranks)]


def live(method, **keys):
    return oscar_sim.LiveRun({**MACHINE, "methods": [method], **keys}, LAYERS)


class Steps(unittest.TestCase):
    def test_fp32_leaves_the_mean_and_takes_as_long_as_a_replay(self):
        with live("fp32") as run:
            self.assertEqual((run.ranks, run.values), (4, VALUES))
            step = run.step(gradients(1))
        np.testing.assert_allclose(step.mean, np.mean(gradients(1), axis=0), rtol=1e-5, atol=1e-6)
        self.assertEqual((step.seconds, step.kernels), (step.collectives, 0))
        self.assertEqual(step.payload_bytes, 2 * 3 * 4 * VALUES)

    def test_tables_last_from_step_to_step(self):
        with live("asc") as run:
            first, second = (run.step(gradients(seed)) for seed in (1, 2))
        self.assertLess(second.payload_bytes, first.payload_bytes)  # the first has no table

    def test_a_compressor_is_that_of_the_package(self):
        with live({"kind": "top_k", "factor": 8, "feedback": True}, seed=5) as run:
            steps = [run.step(gradients(seed)) for seed in (1, 2)]
        alone = oscar_sim.Compressor("top_k", ranks=4, seed=5, feedback=True, factor=8)
        tensors = [(0, 1200, 40), (1200, 1240, 0), (1240, VALUES, 10)]
        for seed, step in zip((1, 2), steps):
            mean = alone.step(gradients(seed), tensors).mean
            np.testing.assert_allclose(step.mean, mean, rtol=1e-5, atol=1e-6)
            self.assertGreater(step.floats, 0)
            self.assertGreater(step.kernels, 0)

    def test_a_step_hides_a_collective_behind_the_backward_pass(self):
        passes = {"forward": "1ms", "backward": "2ms", "optimiser": "500us"}
        with live("fp32", step={**passes, "buckets": {"first": "1KiB", "size": "1KiB"}}) as run:
            step = run.step(gradients(1))
        self.assertGreater(step.seconds, 3.5e-3)
        self.assertLess(step.seconds, 3.5e-3 + step.collectives)

    def test_a_controller_tells_its_factors_and_learns_of_epochs(self):
        method = {"kind": "accordion", "compressor": "top_k", "low": 10, "high": 100, "period": 1}
        with live(method) as run:
            chosen = []
            for _ in range(3):
                chosen.append(run.step(gradients(1)).factors)
                run.end_epoch(0.1)
        self.assertEqual(chosen, [[10.0] * 3, [10.0] * 3, [100.0] * 3])

    def test_sharded_methods_pay_for_the_gather_where_ranks_hold_the_whole_model(self):
        tagc = {"kind": "tagc", "units": "all", "ratio": 4, "lanes": 4, "zeros": 0.9}
        with live(tagc) as whole, live(tagc, collective="reduce_scatter") as sharded:
            steps = [run.step(gradients(1)) for run in (whole, sharded)]
        np.testing.assert_array_equal(steps[0].mean, steps[1].mean)
        # All-gather of a dense shard of each rank, which the others forward.
        self.assertEqual(steps[0].payload_bytes - steps[1].payload_bytes, 3 * 4 * VALUES)


class Mistakes(unittest.TestCase):
    def test_a_configuration_that_is_none_is_told_by_key_path(self):
        for keys, why in (
            ({"methods": ["fp32", "asc"]}, "^methods: a training goes on with the mean of one method"),
            ({"network": {"lnk": 1}}, r"^network\.lnk: no such parameter"),
            ({"step": {"forward": "1ms"}}, "^step: no capture tells how long the backward pass takes"),
        ):
            with self.subTest(why), self.assertRaisesRegex(oscar_sim.ConfigError, why):
                oscar_sim.LiveRun({**MACHINE, "methods": ["fp32"], **keys}, LAYERS)

    def test_layers_without_values_are_refused(self):
        for layers in ([], [("a", (0, 3))]):
            with self.subTest(layers), self.assertRaisesRegex(
                oscar_sim.ConfigError, "the first request names the layers"
            ):
                oscar_sim.LiveRun({**MACHINE, "methods": ["fp32"]}, layers)

    def test_other_sizes_are_told_before_anything_is_sent(self):
        with live("fp32") as run:
            with self.assertRaisesRegex(ValueError, f"gradients: 4 of {VALUES} values are wanted, not 3 of"):
                run.step(gradients(1, ranks=3))
            self.assertEqual(len(run.step(gradients(1)).mean), VALUES)

    def test_a_value_that_is_none_ends_the_run_with_its_place(self):
        wrong = gradients(1)
        wrong[2][7] = np.nan
        with self.assertRaisesRegex(oscar_sim.ConfigError, "step 1: element 7 of rank 2 is nan"), live("fp32") as run:
            run.step(wrong)


if __name__ == "__main__":
    unittest.main()
