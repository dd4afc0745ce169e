"""scripts/calibrate_gpu: what it counts, what it writes, and what it says where there is no GPU."""

import os
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from tests.scripts.loading import script

try:
    import torch
except ImportError as error:
    raise unittest.SkipTest(f"no Python module {error.name}") from None

calibrate_gpu = script("calibrate_gpu")
BUILT = Path(os.environ.get("OSCAR_BUILD", "build/release")) / "python"


class Kernels(unittest.TestCase):
    def test_there_is_one_for_each_price(self):
        with mock.patch.object(torch, "randn", lambda *sizes, device: torch.ones(min(sizes), device=device)):
            known = calibrate_gpu.kernels(torch, 64, torch.device("cpu"))
        self.assertEqual(set(known), {*calibrate_gpu.MOVED.values(), *calibrate_gpu.COMPUTED.values()})

    def test_each_runs_and_touches_as_much_as_it_says(self):
        known = calibrate_gpu.kernels(torch, 1000, torch.device("cpu"))
        for operation in ("elements", "comparisons", "hashes", "additions", "draws"):
            run, count = known[operation]
            with self.subTest(operation):
                self.assertEqual(count, 1000)
                self.assertIn(run().numel(), (1, 1000))

    def test_the_hash_is_a_round_of_murmur3(self):
        with mock.patch.object(
            torch, "randint", lambda *a, **k: torch.tensor([0x12345678], dtype=k.get("dtype", torch.int64))
        ):
            with mock.patch.object(torch, "randn", lambda *sizes, device: torch.ones(1)):
                run, _ = calibrate_gpu.kernels(torch, 1, torch.device("cpu"))["hashes"]
        value, mask = 0x12345678, 0xFFFFFFFF
        k = value * 0xCC9E2D51 & mask
        k = (k << 15 | k >> 17) & mask
        h = value ^ (k * 0x1B873593 & mask)  # the state before is the value itself: what it is costs nothing
        self.assertEqual(int(run()[0]) & mask, ((h << 13 | h >> 19) * 5 + 0xE6546B64) & mask)


class Program(unittest.TestCase):
    def test_without_a_gpu_it_says_what_serves_instead(self):
        with mock.patch.object(torch.cuda, "is_available", lambda: False), self.assertRaisesRegex(
            SystemExit, "estimated prices serve"
        ):
            calibrate_gpu.main([])

    @unittest.skipUnless(list(BUILT.glob("oscar_sim/_core*.so")), "the Python module is not built")
    def test_an_experiment_reads_what_it_writes(self):
        sys.path[:0] = [str(BUILT), "python"]
        import oscar_sim

        seconds = {"elements": 4e-12, "comparisons": 2e-12, "additions": 1.6e-11, "launch": 6e-6}
        seconds |= {"hashes": 1e-11, "multiplications": 5e-14, "draws": 2e-11}
        with tempfile.TemporaryDirectory() as folder:
            part = Path(folder) / "gpu.yaml"
            part.write_text(calibrate_gpu.as_yaml("A", "PyTorch 2", 64, seconds))
            experiment = Path(folder) / "experiment.yaml"
            experiment.write_text("base: gpu.yaml\nranks: 2\nsize: 4KiB\npayload: synthetic\nmethods: [fp32]\n")
            gpu = oscar_sim.simulate(experiment)["config"]["gpu"]
        self.assertEqual((gpu["memory_bandwidth"], gpu["kernel_latency"]), ("16Tbps", "6us"))
        self.assertEqual(
            gpu["prices"],
            {
                "element": "8B",
                "comparison": "4B",
                "addition": "32B",
                "hashes_per_ns": 100.0,
                "products_per_ns": 20000.0,
                "draws_per_ns": 50.0,
            },
        )


if __name__ == "__main__":
    unittest.main()
