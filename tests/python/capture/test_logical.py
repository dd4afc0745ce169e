"""oscar_capture.logical: one process with N workers gives the trace of N processes."""

import os
import pickle
import shutil
import tempfile
import unittest
from pathlib import Path

from support import SIZES, bits, found, gradients, manifest, run_logical, trace_folder

import numpy as np
import torch
import torch.nn.functional as F

import capture_jobs as jobs
from oscar_capture import CaptureError, logical


class Logical(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.parent = Path(temporary.name)
        self.folder = self.parent / "trace"

    def test_first_step_is_that_of_gloo_processes_bit_for_bit(self):
        for size in SIZES:
            folder = self.parent / str(size)
            run_logical(folder, size, 1, {"early": (0, 1)})
            theirs = gradients(trace_folder(size, "plain"))[0]
            for name, rows in gradients(folder)[0].items():
                np.testing.assert_array_equal(bits(rows), bits(theirs[name]), name)

    def test_two_workers_train_like_two_gloo_processes_bit_for_bit(self):
        model = run_logical(self.folder, 2, jobs.STEPS, jobs.WINDOWS)
        theirs = gradients(trace_folder(2, "plain"))
        for step, layers in gradients(self.folder).items():
            for name, rows in layers.items():
                np.testing.assert_array_equal(bits(rows), bits(theirs[step][name]), (step, name))
        for name, value in model.named_parameters():
            self.assertTrue(torch.equal(value, found(2)[0]["plain"].parameters[name]), name)

    def test_trace_is_the_one_of_gloo_processes_but_for_time_and_framework(self):
        run_logical(self.folder, 2, jobs.STEPS, jobs.WINDOWS, **jobs.SCENARIOS["plain"]["about"])
        ours, theirs = manifest(self.folder), manifest(trace_folder(2, "plain"))
        for layer in ours["layers"] + theirs["layers"]:
            self.assertGreater(int(layer.pop("ready")[:-2]), 0)
        for trace in (ours, theirs):
            trace.pop("framework")
        theirs.pop("validation")
        self.assertEqual(ours, theirs)
        self.assertEqual(os.listdir(self.parent), ["trace"])

    def test_chosen_layers_as_fp16_are_those_of_gloo_processes(self):
        recorded = dict(layers=["head.*", "sc?le"], dtype="f2")
        model = run_logical(self.folder, 2, jobs.STEPS, jobs.WINDOWS, **recorded)
        ours, theirs = gradients(self.folder), gradients(trace_folder(2, "part"))
        for step, layers in theirs.items():
            self.assertEqual(list(ours[step]), list(layers))
            for name, rows in layers.items():
                np.testing.assert_array_equal(bits(ours[step][name]), bits(rows), (step, name))
        ours, theirs = manifest(self.folder), manifest(trace_folder(2, "part"))
        self.assertEqual(
            [entry["scale"] for entry in ours["iterations"]], [entry["scale"] for entry in theirs["iterations"]]
        )
        self.assertEqual(ours["values"], theirs["values"])
        for name, value in model.named_parameters():  # what is not recorded is averaged all the same
            self.assertTrue(torch.equal(value, found(2)[0]["plain"].parameters[name]), name)

    def test_missing_iterations_write_nothing(self):
        with self.assertRaisesRegex(CaptureError, "iterations 3 to 4 are missing"):
            run_logical(self.folder, 2, 3, jobs.WINDOWS)
        self.assertEqual(os.listdir(self.parent), [])

    def test_existing_folder_is_refused_and_an_empty_one_is_filled(self):
        self.folder.mkdir()
        (self.folder / "note").write_text("mine")
        with self.assertRaisesRegex(CaptureError, "not empty"):
            logical.Recorder(jobs.make(), self.folder, 2, first=0, count=1)
        self.assertEqual(os.listdir(self.folder), ["note"])
        (self.folder / "note").unlink()
        run_logical(self.folder, 2, 1, {"early": (0, 1)})
        self.assertEqual(len(os.listdir(self.folder)), 2)

    def test_workers_out_of_order_are_refused(self):
        recorder = logical.Recorder(jobs.make(), self.folder, 2, first=0, count=1)
        with self.assertRaisesRegex(CaptureError, r"worker\(0\) comes next"), recorder.worker(1):
            pass
        with self.assertRaisesRegex(CaptureError, r"worker\(0\) comes next"):
            recorder.average()
        recorder.discard()

    def test_discarded_capture_leaves_nothing(self):
        recorder = logical.Recorder(jobs.make(), self.folder, 1, first=0, count=1)
        with recorder.worker(0):
            pass
        recorder.discard()
        self.assertEqual(os.listdir(self.parent), [])
        with self.assertRaisesRegex(CaptureError, "finished already"):
            recorder.finish()

    def test_failed_worker_can_be_run_again(self):
        model = jobs.make()
        recorder = logical.Recorder(model, self.folder, 1, first=0, count=1)
        with self.assertRaises(KeyError), recorder.worker(0):
            raise KeyError
        with recorder.worker(0):
            model(jobs.batch(0, 0)[0]).sum().backward()
        recorder.average()
        recorder.finish()
        self.assertEqual(manifest(self.folder)["ranks"], 1)

    def test_wrong_arguments_are_refused(self):
        for arguments in (
            {"ranks": 0},
            {"ranks": 2.0},
            {"ranks": 2, "seed": -1},
            {"ranks": 2, "seed": "1"},
            {"ranks": 2, "model_name": "x"},
            {"ranks": 2, "data": 3},
            {"ranks": 2, "layers": ["tail"]},
            {"ranks": 2, "dtype": "f8"},
        ):
            with self.subTest(arguments), self.assertRaises((CaptureError)) as caught:
                logical.Recorder(jobs.make(), self.folder, first=0, count=1, **arguments)
            self.assertNotIn("\n", str(caught.exception))
        with self.assertRaisesRegex(CaptureError, "no parameter"):
            logical.Recorder(torch.nn.ReLU(), self.folder, 2, first=0, count=1)
        self.assertEqual(os.listdir(self.parent), [])

    def test_conversion_of_some_gradients_from_fp16_is_said(self):
        model = jobs.HalfNet()
        recorder = logical.Recorder(model, self.folder, 1, first=0, count=1)
        with recorder.worker(0):
            model(jobs.batch(0, 0)[0]).sum().backward()
            self.assertEqual({tensor.grad.dtype for tensor in model.parameters()}, {torch.float16, torch.float32})
            gain = model.gain.grad.clone()
        recorder.average()
        recorder.finish()
        self.assertIn("; float16 gradients were converted to fp32", manifest(self.folder)["values"])
        np.testing.assert_array_equal(gradients(self.folder)[0]["gain"][0], gain.float().flatten().numpy())


class Pooled(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name) / "trace"

    def recorder(self, model, first):
        recorder = logical.Recorder(model, self.folder, 3, first=first, count=1)
        self.addCleanup(recorder.discard)
        return recorder

    @staticmethod
    def losses(model):
        """Of each worker; a generator, so that each is computed when it is asked for."""
        dtype = next(model.parameters()).dtype
        return (
            F.cross_entropy(model(images.to(dtype)), labels)
            for images, labels in (jobs.batch(rank, 0) for rank in range(3))
        )

    def test_one_pass_leaves_the_mean_gradient_of_the_workers(self):
        model = (
            jobs.make().double()
        )  # in fp32 the sums of a bias, whose addends cancel, differ by more with some processors' kernels
        recorder = self.recorder(model, first=2)
        losses = self.losses(model)
        for rank in range(3):
            with recorder.worker(rank):
                recorder.loss(next(losses)).backward()
        recorder.average()
        one_by_one = [tensor.grad.clone() for tensor in model.parameters()]
        for tensor in model.parameters():
            tensor.grad = torch.full_like(tensor, 1e6)  # what is left of the step before
        with recorder.pooled():
            images, labels = (torch.cat(part) for part in zip(*(jobs.batch(rank, 0) for rank in range(3))))
            recorder.loss(F.cross_entropy(model(images.double()), labels)).backward()
        self.assertEqual(recorder.step, 2)
        for tensor, expected in zip(model.parameters(), one_by_one):
            self.assertLess((tensor.grad - expected).norm().item(), 1e-12 * expected.norm().item() + 1e-15)

    def test_its_loss_is_in_the_curve(self):
        model = jobs.make()
        recorder = self.recorder(model, first=1)
        with recorder.pooled():
            recorder.loss(sum(self.losses(model)) / 3).backward()
        for rank in range(3):
            with recorder.worker(rank):
                pass
        recorder.average()
        recorder.finish()
        expected = sum(loss.item() for loss in self.losses(model)) / 3
        self.assertAlmostEqual(manifest(self.folder)["loss_curve"]["loss"][0], expected, 5)

    def test_an_iteration_that_is_recorded_is_refused(self):
        recorder = self.recorder(jobs.make(), first=0)
        with self.assertRaisesRegex(CaptureError, "iteration 0 is recorded"), recorder.pooled():
            self.fail("the block ran")
        self.assertEqual(recorder.step, 0)

    def test_it_is_refused_in_the_middle_of_an_iteration(self):
        recorder = self.recorder(jobs.make(), first=5)
        for rank, next_call in enumerate((r"worker\(1\)", r"worker\(2\)", r"average\(\)")):
            with recorder.worker(rank):
                pass
            with self.assertRaisesRegex(CaptureError, f"{next_call} comes next, not pooled"), recorder.pooled():
                self.fail("the block ran")
        recorder.average()
        with recorder.pooled():
            pass
        self.assertEqual(recorder.step, 2)


class GoingOn(unittest.TestCase):
    """A capture that kept its files, and another recorder that goes on with them."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.parent = Path(temporary.name)

    def train(self, recorder, model, optimiser, steps, bad=None):
        for step in steps:
            for rank in range(2):
                with recorder.worker(rank):
                    images, labels = jobs.batch(rank, step)
                    recorder.loss(F.cross_entropy(model(images), labels)).backward()
                    if step == bad:
                        next(model.parameters()).grad.view(-1)[0] = float("nan")
            recorder.average()
            optimiser.step()

    def begin(self):
        """(recorder, model, optimiser)."""
        model = jobs.make()
        recorder = logical.Recorder(model, self.parent / "trace", 2, windows=jobs.WINDOWS, dtype="f2", keep=True)
        return recorder, model, jobs.optimiser_of(model)

    def interrupted(self, stop, bad=None):
        """What goes on, as of begin(), after a first run that got to `stop`."""
        before = self.begin()
        self.train(*before, range(stop), bad)
        state = pickle.loads(pickle.dumps(before[0].state()))
        before[0].discard()
        after = self.begin()
        for old, new in zip(before[1:], after[1:]):
            new.load_state_dict(old.state_dict())
        after[0].restore(state)
        self.assertEqual(after[0].step, stop)
        return after

    def test_the_trace_is_that_of_a_capture_in_one_piece(self):
        run_logical(self.parent / "whole", 2, jobs.STEPS, jobs.WINDOWS, dtype="f2", name="trace")
        for stop in range(1, jobs.STEPS + 1):
            with self.subTest(stop):
                after = self.interrupted(stop)
                self.train(*after, range(stop, jobs.STEPS))
                after[0].finish()
                ours, theirs = manifest(self.parent / "trace"), manifest(self.parent / "whole")
                for layer in ours["layers"] + theirs["layers"]:
                    self.assertGreater(int(layer.pop("ready")[:-2]), 0)
                self.assertEqual(ours, theirs)
                for entry in ours["iterations"]:
                    ours, theirs = ((self.parent / name / entry["file"]).read_bytes() for name in ("trace", "whole"))
                    self.assertTrue(ours == theirs, entry)
                self.assertEqual(sorted(os.listdir(self.parent)), ["trace", "whole"])
                shutil.rmtree(self.parent / "trace")

    def test_a_value_that_was_not_finite_is_not_forgotten(self):
        after = self.interrupted(3, bad=1)
        self.train(*after, range(3, jobs.STEPS))
        with self.assertRaisesRegex(CaptureError, "iteration 1: .* is NaN"):
            after[0].finish()


if __name__ == "__main__":
    unittest.main()
