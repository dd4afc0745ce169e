"""oscar_capture.logical: one process with N workers gives the trace of N processes."""

import os
import tempfile
import unittest
from pathlib import Path

from support import SIZES, bits, found, gradients, manifest, run_logical, trace_folder

import numpy as np
import torch

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
        self.assertEqual([entry["scale"] for entry in ours["iterations"]],
                         [entry["scale"] for entry in theirs["iterations"]])
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
        for arguments in ({"ranks": 0}, {"ranks": 2.0}, {"ranks": 2, "seed": -1}, {"ranks": 2, "seed": "1"},
                          {"ranks": 2, "model_name": "x"}, {"ranks": 2, "data": 3},
                          {"ranks": 2, "layers": ["tail"]}, {"ranks": 2, "dtype": "f8"}):
            with self.subTest(arguments), self.assertRaises((CaptureError)) as caught:
                logical.Recorder(jobs.make(), self.folder, first=0, count=1, **arguments)
            self.assertNotIn("\n", str(caught.exception))
        with self.assertRaisesRegex(CaptureError, "no parameter"):
            logical.Recorder(torch.nn.ReLU(), self.folder, 2, first=0, count=1)
        self.assertEqual(os.listdir(self.parent), [])


if __name__ == "__main__":
    unittest.main()
