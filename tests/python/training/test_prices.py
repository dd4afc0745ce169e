"""The price list of a training, and what a GPU takes by it."""

import unittest
from pathlib import Path

import yaml
from oscar_training import TrainingError, gpu, settings
from support import GOOD, GPU, Files


class Prices(Files):
    def priced(self, machine=None, **list_of_gpu):
        """The settings of a training with this price list, and this machine."""
        return self.text(
            yaml.safe_dump({**GOOD, "machine": machine or {}}), gpu=yaml.safe_dump({"source": "a list", **list_of_gpu})
        )

    def test_bytes_are_moved_and_kernels_launched_at_the_price_of_the_simulated_gpu(self):
        read = self.priced(bytes={"elements": 8}, seconds={"hashes": 1e-11})
        self.assertAlmostEqual(read.gpu["elements"], 8 / (0.85 * 3.35e12), delta=1e-18)  # as by default
        self.assertEqual((read.gpu["hashes"], read.gpu["launch"]), (1e-11, 5e-6))
        self.assertEqual(read.gpu_source, "a list (2.85 TB/s of GPU memory, 5 us a launch)")
        slow = self.priced(
            {"gpu": {"memory_bandwidth": "8Tbps", "memory_efficiency": 0.5, "kernel_latency": "10us"}},
            bytes={"elements": 8},
        )
        self.assertAlmostEqual(slow.gpu["elements"], 8 / 0.5e12, delta=1e-18)
        self.assertEqual(slow.gpu["launch"], 1e-5)
        self.assertEqual(slow.gpu_source, "a list (0.5 TB/s of GPU memory, 10 us a launch)")

    def test_what_was_measured_is_not_computed(self):
        read = self.priced(seconds={"elements": 3e-12, "launch": 7e-6})
        self.assertEqual((read.gpu, read.gpu_source), ({"elements": 3e-12, "launch": 7e-6}, "a list"))
        self.assertEqual(self.priced(bytes={"elements": 8}, seconds={"launch": 7e-6}).gpu["launch"], 7e-6)

    def test_the_shipped_list_has_each_count_and_no_bandwidth_or_launch_of_its_own(self):
        shipped = yaml.safe_load(Path("configs/training/gpu/estimated.yaml").read_text())
        self.assertEqual(set(shipped), {"source", "bytes", "seconds"})
        self.assertEqual(
            {*shipped["bytes"], *shipped["seconds"]},
            {"elements", "comparisons", "additions", "hashes", "multiplications", "draws"},
        )

    def test_a_price_list_that_contradicts_itself_or_the_simulator_is_refused_with_its_place(self):
        for machine, content, why in (
            (
                {},
                {"bytes": {"elements": 8}, "seconds": {"elements": 1e-12}},
                r"gpu\.yaml:2:3: bytes\.elements: has seconds",
            ),
            (
                {"gpu": {"memory_efficiency": 2}},
                {},
                r"a\.yaml:.*: machine\.gpu\.memory_efficiency: 2.* is out of range",
            ),
        ):
            with self.subTest(why), self.assertRaisesRegex(TrainingError, why):
                self.priced(machine, **content)

    def test_a_record_depends_on_no_price_list(self):
        one, other = self.priced(bytes={"elements": 8}), self.priced(bytes={"elements": 9})
        self.assertEqual(settings.identity(one, one.methods[0], 1), settings.identity(other, other.methods[0], 1))


class Gpu(unittest.TestCase):
    def test_time_is_counts_times_seconds_and_a_launch_per_round_and_step(self):
        operations = {"elements": 1000, "hashes": 0, "rounds": 3}
        self.assertAlmostEqual(gpu.seconds(operations, GPU["seconds"]), 1000e-9 + 4e-6)

    def test_no_operations_take_no_time(self):
        self.assertEqual(gpu.seconds({"elements": 0, "rounds": 0}, {}), 0)

    def test_a_count_without_a_constant_is_refused(self):
        with self.assertRaisesRegex(TrainingError, "hashes"):
            gpu.seconds({"hashes": 1}, GPU["seconds"])


if __name__ == "__main__":
    unittest.main()
