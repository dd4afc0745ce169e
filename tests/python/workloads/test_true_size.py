"""The data and the models of the true-size captures."""

import importlib
import importlib.util
import itertools
import math
import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from support import small_images

import torch
from torch._subclasses import FakeTensorMode

from oscar_workloads import WorkloadError, byte_pairs, gpt2, large_images, npm, sources, tokens, training, words
from oscar_workloads.workloads import OF_TORCHVISION, TRUE_SIZE

TORCHVISION = importlib.util.find_spec("torchvision") is not None
NO_TORCHVISION = "torchvision is missing (Debian package python3-torchvision)"
TOKENIZER = npm.is_there("gpt-tokenizer")
NO_TOKENIZER = f"gpt-tokenizer is missing ({npm.how_to_install('gpt-tokenizer')})"


def module(model):
    return importlib.import_module(f"oscar_workloads.{model}")


class TokenData(unittest.TestCase):
    def data(self, count=2000, vocabulary=500, length=20):
        codes = torch.randint(vocabulary, (count,), generator=torch.Generator().manual_seed(3))
        return tokens.Tokens(codes, vocabulary, length)

    def test_target_of_a_token_is_the_one_that_follows_it_in_the_training_part(self):
        data = self.data()
        train = data.train.tolist()
        for inputs, targets in itertools.islice(data.batches(2, 3, 1), 4):
            self.assertEqual((inputs.shape, targets.shape), ((2, 3, 20),) * 2)
            self.assertTrue(torch.equal(inputs[..., 1:], targets[..., :-1]))
            for row in torch.cat([inputs, targets[..., -1:]], -1).flatten(0, 1).tolist():
                self.assertTrue(any(train[i : i + len(row)] == row for i in range(len(train))))

    def test_workers_and_steps_get_different_sequences_and_a_seed_the_same(self):
        rows, again, other = (
            [
                row.tolist()
                for inputs, _ in itertools.islice(self.data().batches(2, 3, seed), 3)
                for row in inputs.flatten(0, 1)
            ]
            for seed in (1, 1, 2)
        )
        self.assertEqual(len({tuple(row) for row in rows}), 18)
        self.assertEqual(rows, again)
        self.assertNotEqual(rows, other)

    def test_last_tenth_is_held_out(self):
        data = self.data()
        self.assertEqual((len(data.train), len(data.held_out)), (1800, 200))

    def test_chance_is_the_cross_entropy_of_the_frequencies(self):
        data = tokens.Tokens(torch.tensor([0] * 7 + [1] * 20 + [0, 1, 1]), 3, length=2)
        # Add-one over 3 tokens: 8 / 30 for token 0, 21 / 30 for token 1.
        self.assertAlmostEqual(data.chance, -(math.log(8 / 30) + 2 * math.log(21 / 30)) / 3)

    def test_evaluation_of_an_ignorant_model_is_the_logarithm_of_the_vocabulary(self):
        loss = self.data().evaluate(lambda x: torch.zeros(*x.shape, 500))
        self.assertAlmostEqual(loss, math.log(500), places=5)

    def test_evaluation_is_the_mean_loss_over_the_held_out_part_from_end_to_end(self):
        data, seen = self.data(), []

        def knows_most(x):
            """Probability 3/4 for the token 7 above the one it sees, the rest spread evenly."""
            seen.extend(x.tolist())
            return torch.full((*x.shape, 500), 0.25 / 499).scatter(-1, (x[..., None] + 7) % 500, 0.75).log()

        data.train.zero_()
        data.held_out = torch.arange(200) * 7 % 500
        self.assertAlmostEqual(data.evaluate(knows_most), -math.log(0.75), places=5)
        self.assertEqual((len(seen), seen[0]), (tokens.EVALUATED, data.held_out[:20].tolist()))
        self.assertEqual(seen[-1], data.held_out[-21:-1].tolist())

    def test_short_text_is_refused(self):
        with self.assertRaisesRegex(WorkloadError, "the text has 100 tokens; at least 220 are needed"):
            self.data(100)
        self.data(220)


class Words(unittest.TestCase):
    def test_numbers_fall_with_the_frequency_from_1_on(self):
        found = words.numbered(["a", "b", "b", ",", "b", ",", "\n"])
        self.assertEqual(found.tolist(), [3, 1, 1, 2, 1, 2, 4])

    def test_words_beyond_the_vocabulary_are_one_sign(self):
        with mock.patch.object(words, "VOCABULARY", 3):
            self.assertEqual(words.numbered(list("aaabbcd")).tolist(), [1, 1, 1, 2, 2, words.UNKNOWN, words.UNKNOWN])

    def test_punctuation_and_the_end_of_a_verse_are_words(self):
        self.assertEqual(
            words.WORD.findall("Let there be light: and\nGod's\n"),
            ["Let", "there", "be", "light", ":", "and", "\n", "God", "'", "s", "\n"],
        )

    @unittest.skipUnless(sources.KING_JAMES_WORDS.is_there(), "bible-kjv and bible-kjv-text are missing")
    def test_king_james_fills_the_vocabulary_and_has_the_chance_that_is_stated(self):
        data = sources.KING_JAMES_WORDS.load()
        self.assertEqual((data.vocabulary, data.length), (words.VOCABULARY, words.LENGTH))
        self.assertEqual(torch.cat([data.train, data.held_out]).unique().tolist(), list(range(words.VOCABULARY)))
        self.assertAlmostEqual(sources.KING_JAMES_WORDS.chance, data.chance, 4)


class BytePairs(unittest.TestCase):
    @unittest.skipUnless(TOKENIZER, NO_TOKENIZER)
    def test_codes_are_those_of_gpt_2(self):
        # As published with the model: vocabulary entries "Hello" 15496, "," 11, " world" 995, newline 198.
        self.assertEqual(byte_pairs.encoded("Hello, world\n"), [15496, 11, 995, 198])

    @unittest.skipUnless(
        TOKENIZER and sources.KING_JAMES_BYTE_PAIRS.is_there(), "the Bible or gpt-tokenizer is missing"
    )
    def test_king_james_has_the_chance_that_is_stated(self):
        data = sources.KING_JAMES_BYTE_PAIRS.load()
        self.assertEqual((data.vocabulary, data.length), (byte_pairs.VOCABULARY, byte_pairs.LENGTH))
        self.assertLess(max(data.train.max(), data.held_out.max()).item(), byte_pairs.VOCABULARY)
        self.assertAlmostEqual(sources.KING_JAMES_BYTE_PAIRS.chance, data.chance, 4)

    def test_a_failure_of_the_tokenizer_is_one_line(self):
        with tempfile.TemporaryDirectory() as folder:
            node = Path(folder) / "node"
            node.write_text("#!/bin/sh\necho several lines >&2\necho Error: no such module >&2\nexit 1\n")
            node.chmod(0o755)
            with mock.patch.dict(os.environ, PATH=folder):
                with self.assertRaisesRegex(WorkloadError, "^gpt-tokenizer failed: Error: no such module$"):
                    byte_pairs.encoded("")


class Npm(unittest.TestCase):
    def with_programs(self, *names):
        """A PATH on which there are only these, which all fail."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for name in names:
            (Path(folder.name) / name).write_text("#!/bin/sh\nexit 1\n")
            (Path(folder.name) / name).chmod(0o755)
        return mock.patch.dict(os.environ, PATH=folder.name)

    def test_a_package_is_missing_without_node_and_where_node_does_not_find_it(self):
        for programs in ((), ("node",)):
            with self.with_programs(*programs):
                self.assertFalse(npm.is_there("gpt-tokenizer"))

    def test_node_and_npm_are_named_only_where_they_are_missing(self):
        command = f"npm install --prefix {npm.INSTALLED.parent} p"
        for programs, words_before in (
            ((), "apt-get install --no-install-recommends nodejs npm; "),
            (("node", "npm"), ""),
        ):
            with self.with_programs(*programs):
                self.assertEqual(npm.how_to_install("p"), words_before + command)


class LargeImages(unittest.TestCase):
    def data(self):
        small = small_images(40)
        return large_images.LargeImages(small.train, small._test)

    def test_an_image_is_enlarged_to_three_equal_channels(self):
        pictures = small_images(2).train[0]
        larger = large_images.enlarged(pictures)
        self.assertEqual(larger.shape, (2, 3, 64, 64))
        for channel in range(3):
            self.assertTrue(torch.equal(larger[:, channel], larger[:, 0]))
        self.assertTrue(pictures.min() <= larger.min() and larger.max() <= pictures.max())

    def test_what_rises_evenly_does_so_when_enlarged(self):
        """Pixel centres are at halves, so the large image's are at 28/64 of those;
        beyond the outermost nothing rises."""
        ramp = torch.arange(28.0).view(1, 1, 1, 28).expand(1, 1, 28, 28)
        expected = (((torch.arange(64) + 0.5) * 28 / 64) - 0.5).clamp(0, 27)
        for picture, by_column in ((ramp, expected.view(1, 64)), (ramp.transpose(2, 3), expected.view(64, 1))):
            self.assertLess((large_images.enlarged(picture) - by_column).abs().max().item(), 1e-5)

    def test_a_constant_image_stays_constant(self):
        larger = large_images.enlarged(torch.tensor([0.3, -1.7]).view(2, 1, 1, 1).expand(2, 1, 28, 28))
        for picture, value in zip(larger, (0.3, -1.7)):
            self.assertLess((picture - value).abs().max().item(), 1e-6)

    def test_labels_stay_with_their_images(self):
        constant = torch.arange(50.0).view(50, 1, 1, 1).expand(50, 1, 28, 28)
        data = large_images.LargeImages((constant, torch.arange(50)), None)
        for pictures, labels in itertools.islice(data.batches(3, 4, 1), 5):
            self.assertEqual(pictures.shape, (3, 4, 3, 64, 64))
            self.assertTrue(torch.allclose(pictures.mean((2, 3, 4)), labels.float()))
            self.assertTrue(torch.allclose(pictures.amax((2, 3, 4)), labels.float()))

    def test_the_order_is_that_of_the_small_images(self):
        of_small = itertools.islice(small_images(40).batches(2, 4, 9), 6)
        for (_, small), (_, large) in zip(of_small, self.data().batches(2, 4, 9)):
            self.assertTrue(torch.equal(small, large))

    def test_accuracy_counts_the_first_test_images(self):
        with mock.patch.object(large_images, "EVALUATED", 20):
            data, shapes = self.data(), []

            def answers(x):
                shapes.append(tuple(x.shape))
                return torch.eye(10)[torch.tensor([*range(5), *[9] * 5] * 2)]  # 6 of 10 right

            self.assertEqual((data.evaluate(answers), shapes), (0.6, [(20, 3, 64, 64)]))


class Models(unittest.TestCase):
    PARAMETERS = {
        "resnet50": 25557032,
        "vgg16": 138357544,
        "gpt2": 124439808,
        "large_lstm": 66034000,
        "vit_b16": 86429416,
        "wide_lenet": 1111946,
    }

    def each(self):
        """(name, module, model without memory for its values)."""
        self.assertEqual(set(self.PARAMETERS), {workload.model for workload in TRUE_SIZE.values()})
        for name in self.PARAMETERS:
            if TORCHVISION or name not in OF_TORCHVISION:
                with self.subTest(name), FakeTensorMode():
                    yield name, module(name), module(name).make()

    def test_they_have_the_parameters_that_they_say(self):
        for name, code, model in self.each():
            count = sum(tensor.numel() for tensor in model.parameters())
            self.assertEqual(count, self.PARAMETERS[name])
            self.assertIn(f"{count:,} parameters", code.__doc__)

    def test_they_take_what_their_data_give(self):
        for name, _, model in self.each():
            if name in OF_TORCHVISION:
                self.assertEqual(model(torch.zeros(2, 3, 64, 64)).shape, (2, 1000))
            elif name == "wide_lenet":
                self.assertEqual(model(torch.zeros(2, 1, 28, 28)).shape, (2, 10))
            else:
                self.assertEqual(model(torch.zeros(2, 9, dtype=torch.long)).shape, (2, 9, module(name).VOCABULARY))

    @unittest.skipUnless(TORCHVISION, NO_TORCHVISION)
    def test_those_of_torchvision_are_named(self):
        for name in self.PARAMETERS:
            self.assertEqual(
                "torchvision.models" in Path(module(name).__file__).read_text(), name in OF_TORCHVISION, name
            )

    def test_pooled_workloads_have_no_batch_normalisation(self):
        pooled = {workload.model: workload.pooled for workload in TRUE_SIZE.values()}
        for name, _, model in self.each():
            normalised = any(isinstance(part, torch.nn.modules.batchnorm._BatchNorm) for part in model.modules())
            self.assertEqual(normalised, not pooled[name])


class Gpt2(unittest.TestCase):
    """With two blocks; twelve take longer and say no more."""

    @classmethod
    def setUpClass(cls):
        torch.manual_seed(1)
        with mock.patch.object(gpt2, "BLOCKS", 2):
            cls.model = gpt2.make()

    def difference(self, place):
        """Where the scores of 8 tokens change if the one at `place` is another."""
        first = torch.randint(gpt2.VOCABULARY, (1, 8), generator=torch.Generator().manual_seed(1))
        second = first.clone()
        second[:, place] = (second[:, place] + 1) % gpt2.VOCABULARY
        with training.evaluating(self.model):
            return ((self.model(first) - self.model(second)).abs().amax((0, 2)) > 1e-5).tolist()

    def test_it_sees_every_token_before_and_none_after(self):
        for place in (0, 5):
            expected = [position >= place for position in range(8)]
            self.assertEqual(self.difference(place), expected)  # as in training
            with torch.no_grad():  # PyTorch has another path for this
                self.assertEqual(self.difference(place), expected)

    def test_both_paths_of_evaluation_agree(self):
        some = torch.randint(gpt2.VOCABULARY, (2, 8))
        with training.evaluating(self.model):
            scores = self.model(some)
            with torch.no_grad():
                self.assertLess((self.model(some) - scores).abs().max().item(), 1e-4)

    def test_it_starts_near_the_loss_of_guessing(self):
        codes = torch.randint(gpt2.VOCABULARY, (2, 17))
        loss = training.loss_of(self.model, codes[:, :-1], codes[:, 1:]).item()
        self.assertLess(abs(loss - math.log(gpt2.VOCABULARY)), 0.5)

    def test_the_output_is_tied_to_the_embedding(self):
        """What is added to the embedding of a token that is not read changes its own score alone, by its product with
        the normalised state."""
        some, other = torch.arange(8).view(1, 8), 1000
        with torch.no_grad(), training.evaluating(self.model):
            before = self.model(some)
            self.model.wte.weight[other] *= 2
            ratio = self.model(some) / before
            self.model.wte.weight[other] /= 2
        self.assertLess((ratio[..., other] - 2).abs().max().item(), 1e-4)
        ratio[..., other] = 1
        self.assertLess((ratio - 1).abs().max().item(), 1e-4)

    def test_initial_weights_are_those_of_the_paper(self):
        """0.02, and in what adds to the residual stream divided by the root of its additions, two a block."""
        for name, tensor in self.model.named_parameters():
            if tensor.dim() == 2:
                expected = 0.01 if name.endswith(("out_proj.weight", "linear2.weight")) else 0.02  # 4 additions
                self.assertLess(abs(tensor.std().item() / expected - 1), 0.02, name)


if __name__ == "__main__":
    unittest.main()
