"""python/oscar_reproduction: figures of papers, made anew."""

import unittest
from unittest import mock

import numpy as np
from oscar_reproduction import gpt2, levels, recovery, sharded

MACHINE = gpt2.machine("10Gbps")


class Recovery(unittest.TestCase):
    def test_below_the_threshold_of_peeling_nearly_all_is_recovered_and_above_it_little(self):
        sparse, dense = (recovery.recovery(1152, load) for load in (0.3, 1.0))
        self.assertLess(sparse.unpeeled, 0.001)
        self.assertAlmostEqual(dense.unpeeled, 0.761, delta=0.01)  # of an independent measurement of the same hashes
        self.assertGreater(dense.rounds, 3)

    def test_it_is_the_same_again(self):
        self.assertEqual(recovery.recovery(300, 0.7, lanes=8), recovery.recovery(300, 0.7, lanes=8))


class Sharded(unittest.TestCase):
    def test_bits_are_those_of_the_formula(self):
        for ratio, index, bits in (
            (2, "or", 18),
            (2, "sum_nibble", 24),
            (4, "or", 10),
            (4, "sum_nibble", 16),
            (10, "or", 5.2),
            (10, "sum_nibble", 11.2),
        ):
            with self.subTest(ratio=ratio, index=index):
                self.assertAlmostEqual(sharded.bits_per_parameter(ratio, index), bits, places=9)

    def test_a_large_unit_gains_by_the_sketch_and_a_small_one_does_not(self):
        small, large = (sharded.unit_time(elements, MACHINE) for elements in (1 << 13, 1 << 21))
        self.assertLess(small.dense, small.tagc)
        self.assertLess(large.tagc, large.dense)
        # 4 bytes a value in half of it, at 10 Gbit/s; headers and latencies come to it.
        self.assertAlmostEqual(large.dense, 32 * (1 << 20) / 10e9, delta=0.1 * large.dense)
        self.assertEqual(large.tagc, large.exchange + large.compression)


class Gpt2(unittest.TestCase):
    def test_the_model_is_that_of_the_paper(self):
        sizes = {name: int(np.prod(shape)) for name, shape in gpt2.layers()}
        self.assertEqual(sum(sizes.values()), 162_614_016)
        compressed = sum(size for size in sizes.values() if size in (768 * 3072, 50304 * 768))
        self.assertEqual(compressed, 133_890_048)  # 82.3 %

    def test_a_step_with_sketches_is_shorter_and_sends_less(self):
        small = [("wte", (768, 3072)), ("attn", (768, 768))]
        with mock.patch.object(gpt2, "layers", lambda: small), mock.patch.dict(
            gpt2.STEP, {"forward": "1ms", "backward": "2ms"}
        ):
            found = {i.method: i for i in gpt2.iterations("10Gbps", methods=("fp32", "tagc, all but attention"))}
        dense, tagc = found.values()
        self.assertLess(tagc.seconds, dense.seconds)
        self.assertEqual(dense.mib, 4 * (768 * 3072 + 768 * 768) / 2 / 2**20)  # half of it, of two ranks
        # Of 32 bits a value: half of 32 / 10 and half of two times the bit of the index, and all of the rest.
        expected = (768 * 3072 * (32 / 10 + 2) / 32 + 768 * 768) * 4 / 2 / 2**20
        self.assertAlmostEqual(tagc.mib, expected, delta=0.02 * expected)
        self.assertEqual((dense.kernels, dense.published, tagc.published), (0, 25.2, 22.6))


class Levels(unittest.TestCase):
    def test_the_second_level_is_cheaper_than_a_pass_of_its_own(self):
        for selector in levels.SELECTORS:
            with self.subTest(selector):
                found = levels.levels(selector, MACHINE, elements=1 << 16)
                self.assertGreater(found.direct, found.multi)
                self.assertEqual(len(levels.PUBLISHED[selector]), 3)


if __name__ == "__main__":
    unittest.main()
