"""python/oscar_reproduction: figures of papers, made anew."""

import unittest

from oscar_reproduction import levels, recovery, sharded

MACHINE = {"network": {"topology": {"kind": "star"}, "link": {"bandwidth": "10Gbps", "propagation": "500ns"}}}


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

    def test_units_are_those_of_gpt2_small(self):
        compressed = sum(size * count for size, count in sharded.OTHERS)
        self.assertEqual(compressed, 133_890_048)
        everything = compressed + sum(size * count for size, count in sharded.ATTENTION + sharded.SMALL)
        self.assertEqual(everything + 25 * 768, 162_614_016)  # with the gains of the norms

    def test_a_large_unit_gains_by_the_sketch_and_a_small_one_does_not(self):
        small, large = (sharded.unit_time(elements, MACHINE) for elements in (1 << 13, 1 << 21))
        self.assertLess(small.dense, small.tagc)
        self.assertLess(large.tagc, large.dense)
        # 4 bytes a value in half of it, at 10 Gbit/s; headers and latencies come to it.
        self.assertAlmostEqual(large.dense, 32 * (1 << 20) / 10e9, delta=0.1 * large.dense)
        self.assertEqual(large.tagc, large.exchange + large.compression)

    def test_a_model_is_the_sum_of_its_units(self):
        times = {1: sharded.UnitTime(1, 10, 1, 2), 2: sharded.UnitTime(2, 20, 1, 3)}
        self.assertEqual(sharded.model_time(times, ((1, 3), (2, 2)), {2}), 3 * 10 + 2 * 4)


class Levels(unittest.TestCase):
    def test_the_second_level_is_cheaper_than_a_pass_of_its_own(self):
        for selector in levels.SELECTORS:
            with self.subTest(selector):
                found = levels.levels(selector, MACHINE, elements=1 << 16)
                self.assertGreater(found.direct, found.multi)
                self.assertEqual(len(levels.PUBLISHED[selector]), 3)


if __name__ == "__main__":
    unittest.main()
