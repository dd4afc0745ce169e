"""The data: who gets which examples, and what quality is measured against."""

import gzip
import itertools
import math
import tempfile
import unittest
from pathlib import Path

from support import small_images, small_text

import torch

from oscar_workloads import WorkloadError, images, sources, text


class Chance(unittest.TestCase):
    def test_the_chance_that_a_source_states_is_that_of_its_data(self):
        self.assertEqual(sources.FASHION_MNIST.chance, images.Images.chance)
        if not sources.KING_JAMES.is_there():
            self.skipTest("no King James Bible (Debian package bible-kjv)")
        self.assertAlmostEqual(sources.KING_JAMES.chance, sources.KING_JAMES.load().chance, 4)


class ImageData(unittest.TestCase):
    def test_no_image_is_on_two_workers_in_an_epoch_and_the_next_has_another_order(self):
        data = images.Images((torch.arange(50.0), torch.arange(50)), None)
        epochs = [
            [labels for _, labels in itertools.islice(data.batches(3, 4, 1), first, first + 4)] for first in (0, 4)
        ]  # 50 images are 4 steps of 12, and 2 are left
        for epoch in epochs:
            self.assertEqual(len(torch.stack(epoch).unique()), 48)
        self.assertFalse(torch.equal(torch.stack(epochs[0]), torch.stack(epochs[1])))

    def test_images_stay_with_their_labels(self):
        data = images.Images((torch.arange(50.0) / 2, torch.arange(50)), None)
        for chosen, labels in itertools.islice(data.batches(3, 4, 1), 9):
            self.assertEqual(chosen.shape, (3, 4))
            self.assertTrue(torch.equal(2 * chosen, labels.float()))

    def test_too_many_workers_are_refused(self):
        with self.assertRaisesRegex(WorkloadError, "needs 100 images, the data has 96"):
            next(small_images().batches(10, 10, 1))

    def test_accuracy_counts_the_right_answers(self):
        data = small_images(40)
        answers = torch.eye(10)[torch.arange(40) % 10]
        answers[:10] = answers[:10].roll(1, 0)  # 10 of 40 wrong
        self.assertEqual(data.evaluate(lambda x: answers[: len(x)]), 0.75)

    def test_idx_files_are_read_with_the_shape_of_their_header(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "x.gz"
            path.write_bytes(gzip.compress(bytes([0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 3, *range(6)])))
            self.assertEqual(images.read_idx(path).tolist(), [[0, 1, 2], [3, 4, 5]])

    @unittest.skipUnless(sources.FASHION_MNIST.is_there(), "dataset-fashion-mnist is missing")
    def test_fashion_mnist_has_its_counts_and_is_about_normal(self):
        data = sources.FASHION_MNIST.load()
        pixels, labels = data.train
        self.assertEqual((pixels.shape, labels.bincount().tolist()), ((60000, 1, 28, 28), [6000] * 10))
        self.assertLess(abs(pixels.mean().item()), 0.01)
        self.assertLess(abs(pixels.std().item() - 1), 0.01)


class TextData(unittest.TestCase):
    def test_target_of_a_character_is_the_one_that_follows_it(self):
        data = small_text()
        train = data.train.tolist()
        for inputs, targets in itertools.islice(data.batches(2, 3, 1), 4):
            self.assertEqual((inputs.shape, targets.shape), ((2, 3, text.LENGTH),) * 2)
            self.assertTrue(torch.equal(inputs[..., 1:], targets[..., :-1]))
            for row in torch.cat([inputs, targets[..., -1:]], -1).flatten(0, 1).tolist():
                self.assertTrue(any(train[i : i + len(row)] == row for i in range(len(train))))

    def test_workers_and_steps_get_different_sequences(self):
        rows = [
            row.tolist()
            for inputs, _ in itertools.islice(small_text().batches(2, 3, 1), 3)
            for row in inputs.flatten(0, 1)
        ]
        self.assertEqual(len({tuple(row) for row in rows}), 18)

    def test_last_tenth_is_held_out(self):
        data = small_text(4000)
        self.assertEqual((len(data.train), len(data.held_out)), (3600, 400))

    def test_chance_is_the_cross_entropy_of_the_frequencies(self):
        a, b = text.SYMBOLS.index("a"), text.SYMBOLS.index("b")
        train = torch.tensor([a] * 28 + [b] * 7)
        # Add-one over 63 symbols: (28 + 1) / (35 + 63) and (7 + 1) / 98.
        expected = -(math.log(29 / 98) + 3 * math.log(8 / 98)) / 4
        self.assertAlmostEqual(text.unigram_loss(train, torch.tensor([a, b, b, b])), expected)

    def test_evaluation_of_an_ignorant_model_is_the_logarithm_of_the_symbols(self):
        loss = small_text(12000).evaluate(lambda x: torch.zeros(*x.shape, len(text.SYMBOLS)))
        self.assertAlmostEqual(loss, math.log(63), places=5)

    def test_evaluation_reads_the_held_out_part_alone(self):
        data = small_text(12000)
        seen = []

        def spy(x):
            seen.extend(x.tolist())
            return torch.zeros(*x.shape, len(text.SYMBOLS))

        data.train.zero_()
        data.evaluate(spy)
        held_out = data.held_out.tolist()
        self.assertEqual(seen[0], held_out[: text.LENGTH])
        self.assertEqual(seen[-1], held_out[-text.LENGTH - 1 : -1])

    def test_short_text_is_refused(self):
        with self.assertRaisesRegex(WorkloadError, "100 characters; at least"):
            small_text(100)

    def test_references_are_taken_off_the_verses(self):
        self.assertEqual(text.REFERENCE.sub("", "Ge1:1 In the\n1Sa12:30 And 3:4 he\n"), "In the\nAnd 3:4 he\n")

    @unittest.skipUnless(sources.KING_JAMES.is_there(), "bible-kjv and bible-kjv-text are missing")
    def test_king_james_text_begins_and_ends_as_it_should(self):
        whole = text.verses("Gen1:1-Rev22:21")
        self.assertTrue(whole.startswith("In the beginning God created the heaven and the earth.\n"))
        self.assertTrue(whole.endswith("The grace of our Lord Jesus Christ be with you all. Amen.\n"))
        self.assertEqual(whole.count("\n"), 31102)
        self.assertEqual("".join(sorted(set(whole))), text.SYMBOLS)

    @unittest.skipUnless(sources.KING_JAMES.is_there(), "bible-kjv and bible-kjv-text are missing")
    def test_unknown_passage_is_an_error(self):
        with self.assertRaisesRegex(WorkloadError, "bible -f Xyz1:1"):
            text.verses("Xyz1:1")


if __name__ == "__main__":
    unittest.main()
