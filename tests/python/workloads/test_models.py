"""The models have the structure that their papers and descriptions give them."""

import math
import unittest

from support import SHIPPED, small_images, small_text

import torch

from oscar_capture.layers import chosen, part_in_words, trained
from oscar_workloads import gpt, lstm, optimisers, resnet, text, training, vgg

SMALL = {"images": small_images, "text": small_text}


def size(model):
    return sum(tensor.numel() for tensor in model.parameters())


def sizes(model):
    return {name: tensor.numel() for name, tensor in model.named_parameters()}


class EveryModel(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(1)

    def each(self):
        for name, workload in SHIPPED.items():
            data = SMALL[workload.source.module]()
            with self.subTest(name):
                yield workload, training.new_model(workload, 1), data

    def test_starts_near_the_loss_of_guessing(self):
        for workload, model, data in self.each():
            classes = {"images": 10, "text": len(text.SYMBOLS)}[workload.source.module]
            inputs, targets = next(data.batches(1, 8, 1))
            loss = training.loss_of(model, inputs[0], targets[0]).item()
            self.assertLess(abs(loss - math.log(classes)), 1.0)

    def test_learns_one_batch_by_heart_with_the_settings_of_its_workload(self):
        for workload, model, data in self.each():
            optimiser = optimisers.make(workload.optimiser, model.parameters(), workload.lr, workload.momentum)
            inputs, targets = next(data.batches(1, 8, 1))
            losses = []
            for _ in range(25):
                optimiser.zero_grad()
                losses.append(training.loss_of(model, inputs[0], targets[0]))
                losses[-1].backward()
                optimiser.step()
            self.assertLess(losses[-1].item(), 0.75 * losses[0].item())

    def test_every_parameter_gets_a_gradient(self):
        for workload, model, data in self.each():
            inputs, targets = next(data.batches(1, 8, 1))
            training.loss_of(model, inputs[0], targets[0]).backward()
            for name, tensor in model.named_parameters():
                self.assertGreater(tensor.grad.abs().max().item(), 0, name)

    def test_same_seed_gives_the_same_weights_and_another_seed_others(self):
        for workload, model, _ in self.each():
            first = torch.cat([tensor.flatten() for tensor in model.parameters()])
            for seed, same in ((1, True), (2, False)):
                other = torch.cat([t.flatten() for t in training.new_model(workload, seed).parameters()])
                self.assertEqual(torch.equal(first, other), same)


class Structure(unittest.TestCase):
    def test_resnet_20_has_the_parameters_of_the_paper(self):
        # Convolutions 9 * in * out: stem 9*16; stage 1: 6 of 16*16; stage 2: 16*32 and 5 of 32*32; stage 3: 32*64 and 5
        # of 64*64. Batch normalisation 2 * channels: 7 of 16, 6 of 32, 6 of 64. Classifier 64*10 + 10.
        convolutions = 9 * (16 + 6 * 16 * 16 + 16 * 32 + 5 * 32 * 32 + 32 * 64 + 5 * 64 * 64)
        expected = convolutions + 2 * (7 * 16 + 6 * 32 + 6 * 64) + 650
        self.assertEqual(expected, 269434)
        self.assertEqual(size(resnet.make()), expected)
        layers = (torch.nn.Conv2d, torch.nn.Linear)
        self.assertEqual(sum(isinstance(module, layers) for module in resnet.make().modules()), 20)

    def test_resnet_shortcut_passes_the_input_on_where_the_convolutions_are_silent(self):
        block = resnet.BasicBlock(2, 3, stride=2)
        torch.nn.init.zeros_(block.bn2.weight)
        x = torch.rand(1, 2, 4, 4)
        y = block(x)
        self.assertTrue(torch.equal(y[:, :2], x[:, :, ::2, ::2]))
        self.assertEqual(y[:, 2:].abs().max().item(), 0)

    def test_vgg_has_six_convolutions_and_dropout_only_in_training(self):
        # 9 * in * out + out: 1-8, 8-8, 8-16, 16-16, 16-32, 32-32; fc 288*128 + 128 and 128*10 + 10.
        convolutions = 80 + 584 + 1168 + 2320 + 4640 + 9248
        self.assertEqual(size(vgg.make()), convolutions + 36992 + 1290)
        model, x = vgg.make(), torch.randn(3, 1, 28, 28)
        self.assertFalse(torch.equal(model(x), model(x)))
        with training.evaluating(model):
            self.assertTrue(torch.equal(model(x), model(x)))
        self.assertTrue(model.training)

    def test_lstm_has_two_layers_of_four_gates(self):
        # Per layer 4 gates * hidden * (inputs + hidden + two biases).
        layers = 4 * 60 * (24 + 60 + 2) + 4 * 60 * (60 + 60 + 2)
        self.assertEqual(size(lstm.make()), 63 * 24 + layers + 60 * 63 + 63)

    def test_gpt_has_two_blocks_of_attention_and_mlp(self):
        # Per block: qkv 44*132 + 132, output 44*44 + 44, MLP 44*176 + 176 and 176*44 + 44, two norms of 2*44.
        block = 44 * 132 + 132 + 44 * 44 + 44 + 44 * 176 + 176 + 176 * 44 + 44 + 4 * 44
        self.assertEqual(size(gpt.make()), 2 * 63 * 44 + 64 * 44 + 2 * block + 2 * 44)

    def test_language_models_see_no_character_that_comes_later(self):
        for module in (lstm, gpt):
            torch.manual_seed(1)
            model = module.make()
            first = torch.randint(63, (2, 20))
            second = first.clone()
            second[:, 12:] = (second[:, 12:] + 1) % 63
            changed = (model(first) - model(second)).abs().amax((0, 2)) > 1e-6
            self.assertEqual(changed.tolist(), [False] * 12 + [True] * 8, module.__name__)

    def test_gpt_sees_every_character_that_came_before(self):
        model = gpt.make()
        for tensor in model.parameters():
            if tensor.dim() > 1:
                torch.nn.init.normal_(tensor, std=0.3)
        first = torch.randint(63, (1, 20))
        second = first.clone()
        second[:, 0] = (second[:, 0] + 1) % 63
        self.assertTrue(((model(first) - model(second)).abs().amax((0, 2)) > 1e-6).all())


class Parts(unittest.TestCase):
    def test_recorded_values_of_the_fp16_traces_are_55000_to_61000(self):
        for name, workload in SHIPPED.items():
            if workload.dtype == "f2":
                _, layers = trained(workload.module().make())
                recorded = sum(layers[i].size for i in chosen(layers, workload.layers or None))
                self.assertTrue(55000 <= recorded <= 61000, (name, recorded))

    def test_resnet_part_has_the_stem_a_part_of_every_stage_and_the_classifier(self):
        _, layers = trained(resnet.make())
        positions = chosen(layers, SHIPPED["resnet20-fmnist"].layers)
        self.assertIn(
            "conv1.weight to layer1.0.bn2.bias, layer2.0.conv1.weight to layer2.0.bn2.bias, "
            "layer3.2.conv2.weight to fc.bias",
            part_in_words(layers, positions),
        )


if __name__ == "__main__":
    unittest.main()
