"""Tests of scripts/capture and of the trace it made for this repository.

Run: /usr/bin/python3 -m unittest tests/scripts/test_capture.py
"""

import importlib.machinery
import importlib.util
import math
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
import yaml

ROOT = Path(__file__).resolve().parents[2]
CAPTURE = ROOT / "scripts" / "capture"
SHIPPED = ROOT / "traces" / "lenet-fmnist"
DATA = Path("/usr/share/datasets/fashion-mnist")


def obstacle():
    """Why no capture can run here, or None."""
    if importlib.util.find_spec("torch") is None:
        return "PyTorch is missing (Debian package python3-torch)"
    if not DATA.is_dir():
        return "Fashion-MNIST is missing (Debian package dataset-fashion-mnist)"
    return None


def description(folder):
    return yaml.safe_load((folder / "trace.yaml").read_text(encoding="utf-8"))


def gradients(folder):
    """All iterations of a trace, shape [iterations, ranks, elements]."""
    return np.stack([np.load(folder / entry["file"])
                     for entry in description(folder)["iterations"]])


def capture(*options):
    return subprocess.run([sys.executable, CAPTURE, *map(str, options)],
                          capture_output=True, text=True, timeout=300)


class ShippedTrace(unittest.TestCase):
    """The folder traces/lenet-fmnist agrees with its description."""

    @classmethod
    def setUpClass(cls):
        cls.trace = description(SHIPPED)

    def test_folder_holds_the_described_files_and_nothing_else(self):
        expected = {f"iteration-{i:05}.npy" for i in range(8)}
        self.assertEqual({entry["file"] for entry in self.trace["iterations"]}, expected)
        self.assertEqual({path.name for path in SHIPPED.iterdir()}, expected | {"trace.yaml"})

    def test_arrays_have_the_described_type_and_shape(self):
        for entry in self.trace["iterations"]:
            with self.subTest(entry["file"]), open(SHIPPED / entry["file"], "rb") as file:
                self.assertEqual(np.lib.format.read_magic(file), (1, 0))
                shape, fortran, dtype = np.lib.format.read_array_header_1_0(file)
                self.assertEqual(shape, (self.trace["ranks"], self.trace["parameters"]))
                self.assertEqual(dtype.str, "<f4")
                self.assertFalse(fortran)

    def test_values_are_finite_and_differ_between_ranks_and_iterations(self):
        values = gradients(SHIPPED)
        self.assertTrue(np.isfinite(values).all())
        rows = values.reshape(-1, values.shape[-1])
        self.assertEqual(len({row.tobytes() for row in rows}), len(rows))

    def test_layers_fill_the_array(self):
        layers = self.trace["layers"]
        self.assertEqual(sum(math.prod(layer["shape"]) for layer in layers),
                         self.trace["parameters"])
        self.assertEqual(len({layer["name"] for layer in layers}), len(layers))
        values = np.abs(gradients(SHIPPED)).max((0, 1))
        start = 0
        for layer in layers:
            size = math.prod(layer["shape"])
            with self.subTest(layer["name"]):
                self.assertRegex(layer["ready"], r"^[1-9]\d*us$")
                self.assertGreater(values[start:start + size].max(), 0)
            start += size

    def test_gradients_become_ready_from_the_last_layer_to_the_first(self):
        weights = [int(layer["ready"][:-2]) for layer in self.trace["layers"]
                   if layer["name"].endswith(".weight")]
        self.assertEqual(weights, sorted(weights, reverse=True))

    def test_steps_are_consecutive_within_a_stage(self):
        iterations = self.trace["iterations"]
        self.assertEqual([entry["stage"] for entry in iterations], ["early"] * 4 + ["late"] * 4)
        for stage in (iterations[:4], iterations[4:]):
            first = stage[0]["step"]
            self.assertEqual([entry["step"] for entry in stage], list(range(first, first + 4)))

    def test_training_went_beyond_chance(self):
        validation = self.trace["validation"]
        self.assertGreater(validation["early"], validation["chance"])
        self.assertGreaterEqual(validation["late"], 0.85)
        curve = self.trace["loss_curve"]
        self.assertEqual(len(curve["step"]), len(curve["loss"]))
        self.assertLess(curve["loss"][-1], curve["loss"][0] / 4)

    def test_trace_is_at_most_8_mib(self):
        self.assertLessEqual(sum(path.stat().st_size for path in SHIPPED.iterdir()), 8 << 20)


@unittest.skipIf(obstacle(), obstacle())
class Capture(unittest.TestCase):
    """A short run: 2 workers, 4 steps, of which 0 and 1 are the early stage, 2 and 3 the late."""

    OPTIONS = ("--ranks", 2, "--batch", 8, "--steps", 4, "--early", 0, "--window", 2, "--seed", 5)

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.out = Path(cls.folder.name) / "trace"
        cls.run_result = capture("--out", cls.out, *cls.OPTIONS)

    def setUp(self):
        self.assertEqual(self.run_result.returncode, 0, self.run_result.stderr)

    def test_rows_are_each_workers_gradient_and_their_mean_that_of_the_pooled_batch(self):
        import torch
        loader = importlib.machinery.SourceFileLoader("capture", str(CAPTURE))
        module = importlib.util.module_from_spec(importlib.util.spec_from_loader("capture", loader))
        loader.exec_module(module)
        spec = module.TRACES["lenet-fmnist"]
        images, labels = module.load(spec["folder"], "train")
        model = module.build(spec, seed=5)
        optimiser = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)

        def gradient(chosen):
            """Gradient [elements] of the mean loss of the chosen images."""
            optimiser.zero_grad()
            torch.nn.functional.cross_entropy(model(images[chosen]), labels[chosen]).backward()
            return torch.cat([p.grad.flatten() for p in model.parameters()]).double().numpy()

        def assert_close(actual, expected):
            error = np.linalg.norm(actual - expected) / np.linalg.norm(expected)
            self.assertLess(error, 1e-6)

        # The later steps also check that SGD with momentum applied the average.
        for captured, chosen in zip(gradients(self.out), module.batches(len(labels), 2, 8, 5)):
            self.assertEqual(len(chosen.unique()), 16)
            for row, own in zip(captured, chosen):
                assert_close(row, gradient(own))
            assert_close(captured.mean(0, dtype=np.float64), gradient(chosen.flatten()))
            optimiser.step()

    def test_same_seed_gives_the_same_gradients(self):
        again = self.out.with_name("again")
        self.assertEqual(capture("--out", again, *self.OPTIONS).returncode, 0)
        np.testing.assert_array_equal(gradients(again), gradients(self.out))

    def test_only_the_trace_is_left_behind(self):
        self.assertEqual(sorted(os.listdir(self.out)),
                         [f"iteration-{i:05}.npy" for i in range(4)] + ["trace.yaml"])
        self.assertFalse([name for name in os.listdir(self.folder.name) if name.startswith(".")])

    def test_existing_folder_is_refused_and_left_untouched(self):
        for name, kept, options in (("plain", "trace.yaml", ()), ("forced", "note", ("--force",))):
            with self.subTest(name):
                out = self.out.with_name(name)
                out.mkdir()
                (out / kept).write_text("mine")
                result = capture("--out", out, *self.OPTIONS, *options)
                self.assertEqual(result.returncode, 2)
                self.assertIn("--force", result.stderr)
                self.assertEqual(os.listdir(out), [kept])
                self.assertEqual((out / kept).read_text(), "mine")

    def test_force_replaces_a_trace(self):
        out = self.out.with_name("old")
        out.mkdir()
        (out / "trace.yaml").write_text("format: 0\n")
        (out / "iteration-00099.npy").write_text("")
        self.assertEqual(capture("--out", out, *self.OPTIONS, "--force").returncode, 0)
        self.assertEqual(sorted(os.listdir(out)), sorted(os.listdir(self.out)))
        self.assertEqual(description(out)["format"], 1)


class Failures(unittest.TestCase):
    def test_missing_module_is_one_line_that_names_the_packages(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "torch.py").write_text("raise ImportError(name='torch')\n")
            result = subprocess.run([sys.executable, CAPTURE, "--out", Path(folder) / "out"],
                                    env={**os.environ, "PYTHONPATH": folder},
                                    capture_output=True, text=True, timeout=60)
            self.assertEqual(result.returncode, 2)
            self.assertEqual(len(result.stderr.splitlines()), 1)
            self.assertIn("python3-torch", result.stderr)
            self.assertFalse((Path(folder) / "out").exists())

    def test_overlapping_stages_are_a_usage_error(self):
        result = capture("--steps", 17)
        self.assertEqual(result.returncode, 2)
        self.assertIn("overlap", result.stderr)


if __name__ == "__main__":
    unittest.main()
