"""A training under way on the simulated machine."""

import json
import os
import signal
import time
import unittest
from unittest import mock

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

    def test_means_contain_momentum_where_the_method_has_its_own(self):
        for method, expected in (
            ("fp32", False),
            ("top_k", False),
            ({"kind": "dgc", "momentum": 0}, False),
            ({"kind": "dgc", "momentum": 0.9}, True),
            ({"kind": "count_sketch", "momentum": 0.9}, True),
        ):
            with self.subTest(method=method), live(method) as run:
                self.assertEqual(run.has_momentum, expected)

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
        for layers, why in (
            ([], "live: the first request names the layers"),
            ([("a", (0, 3))], "live: layer 0 .*: its sizes are whole numbers from 1 on"),
        ):
            with self.subTest(why), self.assertRaisesRegex(oscar_sim.ConfigError, why):
                oscar_sim.LiveRun({**MACHINE, "methods": ["fp32"]}, layers)

    def test_other_sizes_are_told_before_anything_is_sent(self):
        with live("fp32") as run:
            with self.assertRaisesRegex(ValueError, f"gradients: 4 of {VALUES} values are wanted, not 3 of"):
                run.step(gradients(1, ranks=3))
            self.assertEqual(len(run.step(gradients(1)).mean), VALUES)

    def test_a_value_that_is_none_is_told_and_the_run_goes_on(self):
        wrong = gradients(1)
        wrong[2][7] = np.nan
        with live("fp32") as run:
            with self.assertRaisesRegex(ValueError, "rank 2: element 7 is nan"):
                run.step(wrong)
            self.assertEqual(len(run.step(gradients(1)).mean), VALUES)

    def test_a_mean_that_is_none_ends_the_run_with_its_place(self):
        for method in ("fp32", "dense"):
            with self.subTest(method), live(method) as run:
                with self.assertRaisesRegex(oscar_sim.ConfigError, f"method {method}: .* the mean of element 0 is inf"):
                    run.step([np.full(VALUES, 3e38, np.float32)] * 4)
                with self.assertRaisesRegex(oscar_sim.SimulationError, "the run has ended: method"):
                    run.step(gradients(1))

    def test_an_interrupted_step_ends_the_run_so_that_no_answer_is_taken_for_the_next(self):
        with live("fp32") as run:
            with mock.patch.object(json, "loads", side_effect=KeyboardInterrupt), self.assertRaises(KeyboardInterrupt):
                run.step(gradients(1))
            with self.assertRaisesRegex(oscar_sim.SimulationError, "the run has ended: KeyboardInterrupt"):
                run.step(gradients(2))

    def test_a_run_ends_though_a_forked_child_holds_its_input(self):
        with live("fp32"):
            child = os.fork()
            if child == 0:
                time.sleep(60)
                os._exit(0)
            begin = time.monotonic()
        self.assertLess(time.monotonic() - begin, 30)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)

    def test_one_that_is_forgotten_ends_by_itself(self):
        run = live("fp32")
        process = run._process
        del run
        self.assertIsNotNone(process.poll())

    def test_layers_may_be_arrays_and_other_things_are_told(self):
        with oscar_sim.LiveRun({**MACHINE, "methods": ["fp32"]}, [("weight", np.zeros((3, 2)))]) as run:
            self.assertEqual(run.values, 6)
        for wrong in (("weight", 6), ("weight",), 3):
            with self.subTest(wrong), self.assertRaisesRegex(
                TypeError, "^layers: a name and a shape of each are wanted"
            ):
                oscar_sim.LiveRun({**MACHINE, "methods": ["fp32"]}, [wrong])

    def test_keys_of_a_trace_are_refused(self):
        for key, value in (("trace", "lenet-fmnist"), ("iterations", {"first": 1, "count": 1}), ("layers", "x")):
            with self.subTest(key), self.assertRaisesRegex(oscar_sim.ConfigError, f"^{key}: belongs to a trace"):
                live("fp32", **{key: value})


if __name__ == "__main__":
    unittest.main()
