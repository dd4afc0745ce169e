"""What the exchanges of a step take on the simulated network."""

import types
import unittest

import numpy as np
from oscar_training import settings
from oscar_training.compressing import Compressing
from oscar_training.network import Network


def exchange(carrier, padded):
    return types.SimpleNamespace(carrier=carrier, padded=padded)


class Networks(unittest.TestCase):
    def setUp(self):
        self.asked = []

    def simulate(self, config):
        self.asked.append((config["collective"]["kind"], config["size"]))
        return {"methods": [{"allreduce_ps": 1e6 * int(config["size"][:-1])}]}

    def network(self):
        return Network({"collective": {"kind": "halving_doubling"}, "network": {}}, 4, self.simulate)

    def test_each_carrier_is_its_collective_of_the_whole_vector(self):
        network = self.network()
        for carrier in ("all_reduce", "all_gather", "reduce_scatter", "reduce", "broadcast"):
            network.seconds([exchange(carrier, 1000)])
        self.assertEqual(
            self.asked,
            [
                ("halving_doubling", "1000B"),
                ("all_gather", "4000B"),
                ("reduce_scatter", "1000B"),
                ("reduce_scatter", "1000B"),
                ("broadcast", "1000B"),
            ],
        )  # each of 4 ranks has 1000 to gather

    def test_exchanges_follow_one_another_and_nothing_takes_no_time(self):
        self.assertAlmostEqual(
            self.network().seconds(
                [exchange("all_reduce", 1000), exchange("all_reduce", 0), exchange("all_reduce", 3000)]
            ),
            4000e-6,
        )

    def test_a_size_within_one_percent_is_not_simulated_anew_and_the_error_of_that_is_known(self):
        network = self.network()
        for size in (100000, 100900, 100000):
            network.seconds([exchange("all_reduce", size)])
        self.assertEqual(
            (network.simulated, network.worst_error, network.reused, network.sampled), (1, 0, 1, 0)
        )  # 100900; the other is the same size
        network.seconds([exchange("all_reduce", 101500)])  # 1.48 % off: simulated, and near enough to compare
        self.assertEqual(network.simulated, 2)
        self.assertAlmostEqual(network.worst_error, 1 - 100000 / 101500)
        self.assertEqual(network.sampled, 1)

    def test_sizes_are_whole_words_and_at_least_one_a_rank(self):
        self.network().seconds([exchange("all_reduce", 3)])
        self.network().seconds([exchange("all_reduce", 1001)])
        self.assertEqual([size for _, size in self.asked], ["16B", "1004B"])


class Compressings(unittest.TestCase):
    """What a fake compressor says is on the network for a second a byte."""

    def communication(self, exchanges, **parameters):
        network = types.SimpleNamespace(seconds=lambda all_of: sum(e.padded for e in all_of))
        said = settings.Settings("w", settings.Compute(3, 4), {}, (), {}, "", ranks=2)
        method = Compressing(settings.Method("m", "dense", parameters), said, network, 1)
        return method._communication(exchanges, [np.zeros(5, np.float32)] * 2)

    def exchange(self, padded, overlapped=False):
        return types.SimpleNamespace(padded=padded, overlapped=overlapped, carrier="all_reduce")

    def test_what_only_the_next_step_needs_counts_where_the_passes_do_not_hide_it(self):
        self.assertEqual(self.communication([self.exchange(10), self.exchange(7, True)]), 10)  # 3 + 4 s of passes
        self.assertEqual(self.communication([self.exchange(10), self.exchange(9, True)]), 12)

    def test_sharded_parameters_are_gathered(self):
        self.assertEqual(self.communication([self.exchange(1)], sharded=True), 1 + 10)  # 20 bytes of 2 ranks


if __name__ == "__main__":
    unittest.main()
