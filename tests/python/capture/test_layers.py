"""The layer table: memory layout, and the choice of layers."""

import unittest

from support import gradients, trace_folder

import numpy as np
import torch

from oscar_capture import CaptureError
from oscar_capture.layers import Layer, chosen, in_c_order, is_dense, part_in_words


class Layout(unittest.TestCase):
    def test_channels_last_gradients_are_written_in_c_order(self):
        usual = gradients(trace_folder(2, "plain"))[0]["conv.weight"]
        other = gradients(trace_folder(2, "channels-last"))[0]["conv.weight"]
        np.testing.assert_allclose(other, usual, rtol=1e-4, atol=1e-6)

    def test_elements_of_a_dense_tensor_come_into_c_order(self):
        tensor = torch.empty(2, 3, 4, 5).to(memory_format=torch.channels_last)
        value = torch.arange(120.0).view(2, 3, 4, 5)
        in_memory = value.permute(0, 2, 3, 1).reshape(-1)
        self.assertTrue(torch.equal(in_c_order(in_memory, tensor), value.reshape(-1)))

    def test_only_tensors_without_gaps_are_dense(self):
        self.assertTrue(is_dense(torch.empty(4, 1, 3).permute(2, 1, 0)))
        self.assertFalse(is_dense(torch.empty(4, 6)[:, :3]))
        self.assertFalse(is_dense(torch.empty(1, 3).expand(4, 3)))


class Choice(unittest.TestCase):
    LAYERS = [
        Layer("conv1.weight", (2, 3)),
        Layer("conv1.bias", (2,)),
        Layer("mid.weight", (5,)),
        Layer("fc.weight", (4, 2)),
        Layer("fc.bias", (4,)),
    ]

    def test_globs_choose_in_the_order_of_the_model(self):
        self.assertEqual(chosen(self.LAYERS, ["fc.*", "conv1.?eight"]), [0, 3, 4])
        self.assertEqual(chosen(self.LAYERS, ["*"]), [0, 1, 2, 3, 4])
        self.assertEqual(chosen(self.LAYERS, None), [0, 1, 2, 3, 4])

    def test_glob_that_matches_nothing_is_refused_with_the_names_there_are(self):
        with self.assertRaisesRegex(CaptureError, r"no layer matches 'fc'; there are conv1.weight, .*, fc.bias"):
            chosen(self.LAYERS, ["conv1.*", "fc"])

    def test_text_in_place_of_a_list_is_refused(self):
        for globs in ("conv1.*", [3], [None]):
            with self.assertRaisesRegex(CaptureError, "must be a list of names"):
                chosen(self.LAYERS, globs)

    def test_part_is_said_in_runs_with_its_size(self):
        # 6 + 2 + 4 of 6 + 2 + 5 + 8 + 4 values.
        self.assertEqual(
            part_in_words(self.LAYERS, [0, 1, 4]),
            "part of the model: 3 of 5 tensors, 12 of 25 parameters: conv1.weight to conv1.bias, fc.bias",
        )
        self.assertEqual(part_in_words(self.LAYERS, [0, 1, 2, 3, 4]), "")


if __name__ == "__main__":
    unittest.main()
