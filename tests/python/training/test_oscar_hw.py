"""OSCAR-HW in a training: its mean, and the times of iterations that it replays on the simulator."""

import types
import unittest
from pathlib import Path

import numpy as np
from oscar_training.oscar_hw import OscarHw, entropy
from oscar_training.replayed import Replay


class OscarHws(unittest.TestCase):
    def method(self, **parameters):
        self.times = iter(range(1, 100))
        said = {"quantiser": {"kind": "max", "bits": 8}, **parameters}
        return OscarHw(
            types.SimpleNamespace(parameters=said), None, lambda before, now, experiment: (float(next(self.times)), 10)
        )

    def gradients(self, seed, scale=1.0):
        return [scale * np.random.default_rng([seed, rank]).normal(size=2000).astype(np.float32) for rank in range(2)]

    TENSORS = [(0, 500, 0), (500, 2000, 3)]

    def test_the_mean_is_off_by_half_a_step_at_most(self):
        gradients = self.gradients(1)
        outcome = self.method().step(gradients, self.TENSORS)
        peak = max(np.abs(g).max() for g in gradients)
        self.assertLess(np.abs(outcome.mean - np.mean(gradients, axis=0)).max(), peak / 127 / 2 * 1.001)
        self.assertGreater(np.abs(outcome.mean - np.mean(gradients, axis=0)).max(), 0)

    def test_a_residual_makes_up_for_what_was_rounded(self):
        method, total, wanted = self.method(quantiser={"kind": "max", "bits": 2, "residual": True}), 0, 0
        for seed in range(20):
            gradients = self.gradients(seed)
            total, wanted = total + method.step(gradients, self.TENSORS).mean, wanted + np.mean(gradients, axis=0)
        # What is missing in the end is what the last step rounded off: half a step of each worker, however many steps.
        self.assertLess(np.abs(total - wanted).max(), 6)

    def test_time_is_simulated_anew_where_the_size_moves(self):
        method = self.method(every=100)
        gradients = self.gradients(1)
        flatter = [np.clip(g, -0.5, 0.5) for g in gradients]  # another distribution of codes
        self.assertEqual(
            [method.step(g, self.TENSORS).communication for g in (gradients, gradients, flatter, flatter)], [1, 1, 2, 2]
        )
        self.assertEqual((method.simulated, method.reused, method.sampled), (2, 2, 0))

    def test_of_the_steps_that_could_reuse_a_time_every_so_many_is_simulated_to_compare(self):
        method = self.method(every=3)
        gradients = self.gradients(1)
        self.assertEqual(
            [method.step(gradients, self.TENSORS).communication for _ in range(8)], [1, 1, 1, 2, 2, 2, 3, 3]
        )
        self.assertEqual((method.simulated, method.reused, method.sampled), (3, 5, 2))
        self.assertAlmostEqual(method.worst_error, 0.5)  # 1 was in use when it was 2; then 2 when it was 3, a third

    def test_sizes_that_keep_moving_do_not_keep_the_shortcut_from_being_compared(self):
        method = self.method(every=2)
        steps = [
            g
            for seed in range(4)
            for g in [self.gradients(1), self.gradients(1), [np.clip(x, -0.5, 0.5) for x in self.gradients(1)]]
        ]
        for gradients in steps:  # one of three is alike: of these four every second is compared
            method.step(gradients, self.TENSORS)
        self.assertEqual((method.simulated, method.reused, method.sampled), (8 + 2, 2, 2))

    def test_entropy_is_of_order_zero(self):
        self.assertAlmostEqual(entropy(np.array([0, 1, -1, 0])), 1.5)


class Replays(unittest.TestCase):
    def test_the_second_of_two_iterations_is_replayed_and_its_bytes_are_per_link(self):
        seen = {}

        def simulate(config):
            seen.update(config)
            seen["arrays"] = [np.load(Path(config["trace"]) / f"iteration-{i:05}.npy") for i in (0, 1)]
            return {"methods": [{"allreduce_ps": 5e12, "payload_bytes": 600}]}

        before, now = [np.zeros(6, np.float32)] * 3, [np.ones(6, np.float32)] * 3
        replay = Replay({"network": "n"}, 3, [(0, 2, 0), (2, 6, 2)], simulate)
        self.assertEqual(replay(before, now, {"codec": "asc", "chunks": "greedy"}), (5.0, 150))  # 2 (3 - 1) links
        np.testing.assert_array_equal(seen["arrays"], [before, now])
        self.assertEqual(
            (seen["iterations"], seen["methods"], seen["chunks"], seen["network"]),
            ({"first": 1, "count": 1}, ["asc"], "greedy", "n"),
        )
        self.assertEqual(seen["gpu"], {"scan_passes": 0})  # peaks are known
        Replay({"gpu": {"launch": "1us"}}, 3, [(0, 6, 0)], simulate)(before, now, {"codec": "asc"})
        self.assertEqual(seen["gpu"], {"launch": "1us", "scan_passes": 0})


if __name__ == "__main__":
    unittest.main()
