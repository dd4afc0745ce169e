"""Steps of a training are counted from outside."""

import types
import unittest
from unittest import mock

from oscar_training import counted
from oscar_workloads import sources
from oscar_workloads.workloads import WORKLOADS


class Steps(unittest.TestCase):
    def train(self, steps):
        """Takes so many batches of the workload, as a training does."""
        data = WORKLOADS["lenet-fmnist"].source.load()
        return [batch for _, batch in zip(range(steps), data.batches(8, 4, 1))]

    def setUp(self):
        def data(source):
            return types.SimpleNamespace(
                batches=lambda ranks, batch, seed: iter([(ranks, batch, seed)] * 10), metric="accuracy"
            )

        patch = mock.patch.object(sources.Source, "load", data)
        patch.start()
        self.addCleanup(patch.stop)

    def test_each_batch_that_is_taken_counts_once_and_stays_as_it_is(self):
        took_one = mock.Mock()
        with counted.steps("lenet-fmnist", took_one):
            self.assertEqual(self.train(3), [(8, 4, 1)] * 3)
        self.assertEqual(took_one.call_count, 3)

    def test_nothing_is_counted_afterwards_even_if_the_training_failed(self):
        took_one, before = mock.Mock(), WORKLOADS["lenet-fmnist"]
        with self.assertRaises(ZeroDivisionError), counted.steps("lenet-fmnist", took_one):
            raise ZeroDivisionError
        self.assertIs(WORKLOADS["lenet-fmnist"], before)
        self.train(2)
        took_one.assert_not_called()

    def test_what_else_the_data_have_is_still_there(self):
        with counted.steps("lenet-fmnist", mock.Mock()):
            self.assertEqual(WORKLOADS["lenet-fmnist"].source.load().metric, "accuracy")


if __name__ == "__main__":
    unittest.main()
