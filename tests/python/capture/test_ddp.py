"""oscar_capture.ddp in trainings over gloo with 2, 3 and 4 processes: it records what is averaged, changing nothing."""

import itertools
import os
import unittest

from support import FOLDER, SIZES, bits, found, gradients, manifest, trace_folder

import numpy as np
import torch
import torch.nn.functional as F

import capture_jobs as jobs


def every_order(rows):
    """All the fp32 values that summing the rows [ranks, elements] can give: [orders, elements].

    An addition is commutative, but not associative in floating point, and a ring adds each piece of a
    bucket in another order of the ranks. So: all ways to merge two of the terms, again and again.
    """
    if len(rows) == 1:
        return [rows[0]]
    return [
        total
        for i, j in itertools.combinations(range(len(rows)), 2)
        for total in every_order([rows[i] + rows[j]] + [r for k, r in enumerate(rows) if k not in (i, j)])
    ]


class Exact(unittest.TestCase):
    """What is recorded is what DDP averaged.

    DDP multiplies each rank's gradient g by 1/n and then sums over the ranks. With 2 ranks there is
    one such sum, whatever the order, so the applied gradient must be g0/2 + g1/2 in every bit. With
    more the order is the ring's, which depends on the place in the bucket: the applied value must be,
    bit for bit, one of the sums that some order gives.
    """

    def recorded_and_applied(self, size, scenario):
        recorded = gradients(trace_folder(size, scenario))
        self.assertEqual(sorted(recorded), [0, 1, 3, 4])
        for step, layers in recorded.items():
            for name, rows in layers.items():
                yield step, name, rows, found(size)[0][scenario].applied[step][name]

    def test_several_buckets_that_are_reordered_after_the_first_iteration(self):
        for size in SIZES:
            buckets = found(size)[0]["plain"].buckets
            self.assertGreater(len(buckets[1]), 1)  # iteration 0 has one bucket; here PyTorch 1.13 makes three, 2.6 two
            self.assertNotEqual(sum(buckets[0], []), sum(buckets[1], []))
            self.assertNotEqual(sum(buckets[1], []), list(found(size)[0]["plain"].parameters)[::-1])

    def test_mean_of_two_ranks_is_the_applied_gradient_bit_for_bit(self):
        for scenario in set(jobs.SCENARIOS) - {"half", "unused", "part"}:
            for step, name, rows, applied in self.recorded_and_applied(2, scenario):
                with self.subTest(scenario, step=step, name=name):
                    np.testing.assert_array_equal(bits(rows.mean(0)), bits(applied.numpy().reshape(-1)))

    def test_sum_of_shares_in_some_order_is_the_applied_gradient_bit_for_bit(self):
        for size, scenario in itertools.product((3, 4), ("plain", "view-none", "accumulate-view")):
            for step, name, rows, applied in self.recorded_and_applied(size, scenario):
                with self.subTest(scenario, size=size, step=step, name=name):
                    shares = list(rows * np.float32(1 / size))
                    equal = bits(np.stack(every_order(shares))) == bits(applied.numpy().reshape(-1))
                    self.assertTrue(equal.any(0).all())

    def test_division_in_the_buckets_own_memory_is_followed_too(self):
        # Here DDP divides by 3 instead of multiplying by 1/3, which differs in the last bit.
        for step, name, rows, applied in self.recorded_and_applied(3, "view"):
            shares = list(rows / np.float32(3) if step else rows * np.float32(1 / 3))
            equal = bits(np.stack(every_order(shares))) == bits(applied.numpy().reshape(-1))
            self.assertTrue(equal.any(0).all(), (step, name))

    def test_fp16_gradients_average_to_the_applied_ones(self):
        for step, name, rows, applied in self.recorded_and_applied(2, "half"):
            exact = np.float16 if name == "gain" else np.float32
            mean = (rows[0] / 2).astype(exact) + (rows[1] / 2).astype(exact)
            np.testing.assert_array_equal(mean, applied.numpy().reshape(-1), str((step, name)))

    def test_ranks_and_iterations_differ(self):
        for size in SIZES:
            rows = [
                row.tobytes()
                for layers in gradients(trace_folder(size, "plain")).values()
                for row in layers["middle.weight"]
            ]
            self.assertEqual(len(set(rows)), 4 * size)

    def test_gradients_summed_under_no_sync_are_one_iteration(self):
        rows = gradients(trace_folder(2, "accumulate"))[0]["head.weight"]
        model = jobs.make()
        for rank in range(2):
            model.zero_grad()
            for part in range(2):
                images, labels = jobs.batch(rank, 0, part)
                F.cross_entropy(model(images), labels).backward()
            np.testing.assert_array_equal(rows[rank], model.head.weight.grad.numpy().reshape(-1))

    def test_unused_tensor_is_zero_and_frozen_one_is_no_layer(self):
        layers = gradients(trace_folder(2, "unused"))[3]
        self.assertNotIn("frozen", layers)
        np.testing.assert_array_equal(layers["idle"], np.zeros((2, 7), np.float32))
        ready = {layer["name"]: layer["ready"] for layer in manifest(trace_folder(2, "unused"))["layers"]}
        self.assertEqual(ready["idle"], "0us")


class Part(unittest.TestCase):
    """The scenario "part" records head.* and scale as fp16; its training is that of "plain"."""

    def test_chosen_layers_have_the_values_of_the_whole_trace_rounded_to_fp16(self):
        for size in SIZES:
            part, whole = gradients(trace_folder(size, "part")), gradients(trace_folder(size, "plain"))
            self.assertEqual(sorted(part), [0, 1, 3, 4])
            for step, layers in part.items():
                self.assertEqual(list(layers), ["scale", "head.weight", "head.bias"])
                largest = max(np.abs(whole[step][name]).max() for name in layers)
                for name, rows in layers.items():
                    # 11 bits of the value, at worst those of a value that is 2^-29 of the largest.
                    allowed = np.maximum(np.abs(whole[step][name]) * 2.0**-11, largest * 2.0**-39)
                    self.assertTrue((np.abs(rows - whole[step][name]) <= allowed).all(), (size, step, name))

    def test_ready_times_are_those_of_the_chosen_layers(self):
        ready = {layer["name"]: int(layer["ready"][:-2]) for layer in manifest(trace_folder(2, "part"))["layers"]}
        self.assertLess(ready["head.weight"], ready["scale"])  # the head comes last, so it is ready first

    def test_description_says_which_part_was_recorded_and_how(self):
        trace = manifest(trace_folder(2, "part"))
        self.assertEqual((trace["dtype"], trace["parameters"]), ("f2", 1 + 36 + 3))
        # 40 of: scale 1, head 12 * 3 + 3, conv 5 * 2 * 9 + 5, middle 80 * 12 + 12.
        self.assertIn("3 of 7 tensors, 40 of 1107 parameters: scale to head.bias", trace["values"])
        self.assertIn("stored as fp16", trace["values"])


class Harmless(unittest.TestCase):
    def test_parameters_are_those_of_ddp_without_a_hook_bit_for_bit(self):
        for size in SIZES:
            for scenario, rank in itertools.product(jobs.scenarios(size), range(size)):
                with self.subTest(scenario, size=size, rank=rank):
                    trainings = found(size)[rank]
                    for name, value in trainings[f"{scenario} without"].parameters.items():
                        same = trainings[scenario].parameters[name].numpy().tobytes() == value.numpy().tobytes()
                        self.assertTrue(same, name)

    def test_applied_gradients_are_those_of_ddp_without_a_hook(self):
        for size in SIZES:
            for scenario in jobs.scenarios(size):
                with self.subTest(scenario, size=size):
                    for with_hook, without in zip(
                        found(size)[0][scenario].applied, found(size)[0][f"{scenario} without"].applied
                    ):
                        for name, value in without.items():
                            if value is not None:
                                self.assertEqual(with_hook[name].numpy().tobytes(), value.numpy().tobytes())

    def test_training_changed_the_parameters(self):
        for name, value in jobs.make().named_parameters():
            self.assertFalse(torch.equal(value, found(2)[0]["plain"].parameters[name]), name)


class Refusals(unittest.TestCase):
    """Each is one line, the same kind on every rank, and nothing is written."""

    def test_every_rank_gets_one_line(self):
        words = {
            "existing": "not empty",
            "one rank only": "(first step >= 0, count >= 1)",
            "not DDP": "DistributedDataParallel",
            "unknown": "'license'",
            "no layer": "no layer matches 'tail.*'",
            "no type": "one of f4, f2, not 'f8'",
            "filled meanwhile": "not empty",
            "missing": "after 4 iterations, so iterations 4 are missing",
            "twice": "finished already",
        }
        ranks = [found(2)[rank]["refusals"] for rank in range(2)]
        self.assertEqual(set(ranks[0]), set(words))
        for name, word in words.items():
            with self.subTest(name):
                messages = [rank[name] for rank in ranks]
                self.assertTrue(all(messages))
                self.assertNotIn("\n", "".join(messages))
                self.assertTrue(any(word in message for message in messages), messages)
                self.assertTrue(all(word in message or "another rank" in message for message in messages), messages)

    def test_nothing_is_left_behind(self):
        folder = FOLDER / "2" / "refusals"
        self.assertEqual(sorted(os.listdir(folder)), ["full", "late", "missing"])
        self.assertEqual(os.listdir(folder / "full"), ["note"])
        self.assertEqual(os.listdir(folder / "late"), ["note"])
        self.assertEqual(os.listdir(folder / "missing"), [])


if __name__ == "__main__":
    unittest.main()
