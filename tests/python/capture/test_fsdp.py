"""oscar_capture.fsdp: its hook, called as FSDP calls it over gloo, records the unsharded gradients."""

import itertools
import unittest

from support import SIZES, found, gradients, manifest, trace_folder

import numpy as np
import torch


class Sharded(unittest.TestCase):
    """The FSDP hook, called as FSDP calls it, with a reduce-scatter made of gloo's all-reduce."""

    SCENARIOS = ("sharded", "sharded-padded", "unsharded")

    def test_layers_carry_names_and_shapes_unit_by_unit(self):
        for scenario in self.SCENARIOS:
            layers = manifest(trace_folder(2, scenario))["layers"]
            self.assertEqual(
                [(layer["name"], layer["shape"]) for layer in layers],
                [("first.weight", [5, 4]), ("first.bias", [5]), ("second.weight", [3, 5]), ("second.bias", [3])],
            )
            ready = [int(layer["ready"][:-2]) for layer in layers]
            self.assertEqual((ready[0], ready[2]), (ready[1], ready[3]))
            self.assertGreater(ready[0], ready[2])

    def test_rows_are_each_ranks_own_gradient_without_padding(self):
        for size, scenario in itertools.product(SIZES, self.SCENARIOS):
            for step, layers in gradients(trace_folder(size, scenario)).items():
                for rank in range(size):
                    for unit, own in zip(("first", "second"), found(size)[rank][scenario].own[step]):
                        weight, bias = layers[f"{unit}.weight"][rank], layers[f"{unit}.bias"][rank]
                        np.testing.assert_array_equal(weight, own[: len(weight)].numpy())
                        np.testing.assert_array_equal(bias, own[-len(bias) :].numpy())

    def test_chosen_layers_are_recorded_with_the_time_of_their_unit(self):
        for size in SIZES:
            layers = manifest(trace_folder(size, "sharded-part"))["layers"]
            self.assertEqual(
                [(layer["name"], layer["shape"]) for layer in layers], [("first.bias", [5]), ("second.bias", [3])]
            )
            first, second = (int(layer["ready"][:-2]) for layer in layers)
            self.assertGreater(first, second)
            part = gradients(trace_folder(size, "sharded-part"))
            for step, whole in gradients(trace_folder(size, "sharded-padded")).items():
                for name, rows in part[step].items():
                    np.testing.assert_allclose(rows, whole[name], rtol=2.0**-11, atol=1e-9)

    def test_reduced_shards_are_the_mean_over_the_ranks(self):
        for size, scenario in itertools.product(SIZES, self.SCENARIOS):
            for step in range(3):
                for unit in (0, 1):
                    mean = torch.stack([found(size)[rank][scenario].own[step][unit] for rank in range(size)]).mean(0)
                    name = ("first", "second")[unit]
                    parts = [found(size)[rank][scenario].reduced[step][name] for rank in range(size)]
                    joined = parts[0] if scenario == "unsharded" else torch.cat(parts)[: len(mean)]
                    torch.testing.assert_close(joined, mean, rtol=1e-6, atol=1e-8)
                    if size == 2:
                        self.assertTrue(torch.equal(joined, mean))


if __name__ == "__main__":
    unittest.main()
