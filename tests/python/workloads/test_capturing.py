"""Every workload trains, and its trace holds each worker's own gradient."""

import os
import tempfile
import unittest
import unittest.mock
from pathlib import Path

from support import SHIPPED, fixture_data, gradients, manifest, tiny

import numpy as np
import torch

from oscar_capture import CaptureError
from oscar_workloads import WorkloadError, capturing, optimisers, sources, training


class Capturing(unittest.TestCase):
    def setUp(self):
        for context in (fixture_data(), tempfile.TemporaryDirectory()):
            entered = context.__enter__()
            self.addCleanup(context.__exit__, None, None, None)
        self.parent = Path(entered)
        self.lines = []

    def capture(self, workload, folder="trace"):
        capturing.capture(workload, self.parent / folder, False, self.lines.append)
        return self.parent / folder

    def test_every_workload_gives_a_trace_that_says_what_it_is(self):
        for name, workload in SHIPPED.items():
            with self.subTest(name):
                trace = manifest(self.capture(tiny(name), name))
                self.assertEqual([trace[key] for key in ("name", "ranks", "batch_per_rank", "seed")], [name, 2, 4, 1])
                self.assertEqual(trace["data"]["licence"], workload.source.licence)
                self.assertEqual([entry["step"] for entry in trace["iterations"]], [0, 1, 2, 3])
                self.assertEqual(trace.get("dtype", "f4"), workload.dtype)
                self.assertEqual(set(trace["validation"]), {"metric", "early", "late", "chance"})
                self.assertEqual(len(trace["loss_curve"]["step"]), 1)
                self.assertIn(workload.module().MODEL, trace["model"])

    def test_rows_are_each_workers_gradient_and_training_applies_their_mean(self):
        """A second, plain training gives the same: pooled gradients of both workers, no recorder."""
        for name in ("lenet-fmnist", "lstm-kjv", "gpt-kjv"):  # neither batch normalisation nor dropout
            workload = tiny(name, dtype="f4")
            captured = gradients(self.capture(workload, name))
            model = training.new_model(workload, workload.seed)
            optimiser = optimisers.make(workload.optimiser, model.parameters(), workload.lr, workload.momentum)
            order = workload.source.load().batches(2, 4, workload.seed)
            for rows, (inputs, targets) in zip(captured, order):
                for row, own_inputs, own_targets in zip(rows, inputs, targets):
                    self.assert_close(row, self.gradient(model, optimiser, own_inputs, own_targets))
                pooled = self.gradient(model, optimiser, inputs.flatten(0, 1), targets.flatten(0, 1))
                self.assert_close(rows.mean(0), pooled)
                optimiser.step()

    @staticmethod
    def gradient(model, optimiser, inputs, targets):
        optimiser.zero_grad()
        training.loss_of(model, inputs, targets).backward()
        return torch.cat([tensor.grad.flatten() for tensor in model.parameters()]).double().numpy()

    def assert_close(self, actual, expected):
        self.assertLess(np.linalg.norm(actual - expected), 1e-4 * np.linalg.norm(expected))

    def test_same_settings_give_the_same_gradients_and_another_seed_others(self):
        for name in SHIPPED:
            first, again = (gradients(self.capture(tiny(name), f"{name}-{i}")) for i in range(2))
            np.testing.assert_array_equal(first, again, name)
            other = gradients(self.capture(tiny(name, seed=7), f"{name}-seed"))
            self.assertFalse(np.array_equal(first, other), name)

    def test_stages_lie_at_the_beginning_in_the_middle_and_at_the_end(self):
        workload = tiny("lenet-fmnist", steps=20, early=3, window=2, stages=("early", "middle", "late"))
        self.assertEqual(capturing.windows(workload), {"early": (3, 2), "middle": (9, 2), "late": (18, 2)})
        trace = manifest(self.capture(workload))
        self.assertEqual(
            [(entry["step"], entry["stage"]) for entry in trace["iterations"]],
            [(3, "early"), (4, "early"), (9, "middle"), (10, "middle"), (18, "late"), (19, "late")],
        )

    def test_quality_is_stated_as_measured_before_the_first_and_the_last_stage(self):
        values = iter([0.11111, 0.5, 0.75])
        data = type(
            "Data",
            (),
            {
                "metric": "m",
                "chance": 0.1,
                "evaluate": lambda self, model: next(values),
                "batches": tiny("lenet-fmnist").source.load().batches,
            },
        )()
        workload = tiny("lenet-fmnist", steps=6, window=1, stages=("late", "middle", "early"))
        with unittest.mock.patch.object(sources.Source, "load", lambda source: data):
            trace = manifest(self.capture(workload))
        self.assertEqual(trace["validation"], {"metric": "m", "early": 0.1111, "late": 0.75, "chance": 0.1})

    def test_evaluation_leaves_the_training_as_it_was(self):
        for name in ("vgg-fmnist", "resnet20-fmnist"):
            twice = gradients(self.capture(tiny(name, stages=("early", "late")), f"{name}-2"))
            once = gradients(self.capture(tiny(name, stages=("late",)), f"{name}-1"))
            np.testing.assert_array_equal(twice[2:], once, name)

    def test_wrong_settings_are_refused_before_training_and_leave_nothing(self):
        for settings, error, words in (
            ({"steps": 3}, CaptureError, "overlap"),
            ({"layers": ("tail.*",)}, CaptureError, "no layer matches"),
            ({"dtype": "f8"}, CaptureError, "f8"),
            ({"batch": 60}, WorkloadError, "needs 120 images"),
        ):
            with self.subTest(settings), self.assertRaisesRegex(error, words):
                self.capture(tiny("lenet-fmnist", **settings))
            self.assertEqual((os.listdir(self.parent), self.lines), ([], []))

    def test_interruption_leaves_nothing(self):
        def interrupt(line):
            raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            capturing.capture(tiny("vgg-fmnist"), self.parent / "trace", False, interrupt)
        self.assertEqual(os.listdir(self.parent), [])


class Optimisers(unittest.TestCase):
    def test_settings_are_said_in_words_and_used(self):
        parameter = torch.nn.Parameter(torch.ones(1))
        made = optimisers.make("sgd", [parameter], 0.5, 0.25)
        self.assertEqual([made.defaults[key] for key in ("lr", "momentum", "weight_decay")], [0.5, 0.25, 0])
        self.assertEqual(optimisers.in_words("sgd", 0.5, 0.25), "SGD, learning rate 0.5, momentum 0.25")
        made = optimisers.make("adamw", [parameter], 0.5, 0.25)
        self.assertEqual((type(made), made.defaults["betas"]), (torch.optim.AdamW, (0.9, 0.999)))
        self.assertEqual(
            optimisers.in_words("adamw", 0.5, 0),
            "AdamW, learning rate 0.5, betas 0.9 and 0.999, weight decay 0.01",
        )
        self.assertEqual(made.defaults["weight_decay"], 0.01)


if __name__ == "__main__":
    unittest.main()
