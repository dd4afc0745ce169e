"""A capture that was interrupted goes on, and its trace is that of one in one piece."""

import contextlib
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from support import ROOT, fixture_data, manifest, tiny

import numpy as np
import torch

from oscar_capture import CaptureError
from oscar_workloads import WorkloadError, capturing, checkpoint, training

EVERY_STEP, NEVER = 0.0, 1e9  # seconds between checkpoints


def workload(name="lenet-fmnist", **settings):
    """8 steps: 1 and 2 are the early stage, 6 and 7 the late one."""
    return tiny(name, **{"steps": 8, "early": 1, **settings})


def described(folder):
    """trace.yaml without the times."""
    trace = manifest(folder)
    for layer in trace["layers"]:
        layer.pop("ready")
    return trace


def arrays(folder):
    return {path.name: path.read_bytes() for path in folder.glob("*.npy")}


class Resuming(unittest.TestCase):
    def setUp(self):
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        stack.enter_context(fixture_data())
        stack.enter_context(mock.patch.object(capturing, "PROGRESS_INTERVAL", 1))
        self.parent = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        self.lines = []

    def capture(self, wanted, folder="trace", interval=EVERY_STEP, stop=None, resumable=True):
        """Capture; KeyboardInterrupt as soon as step `stop` is told. Returns the folder."""
        self.lines = []

        def report(line):
            self.lines.append(line)
            if line.startswith(f"step {stop} of"):
                raise KeyboardInterrupt

        with mock.patch.object(checkpoint, "INTERVAL", interval):
            capturing.capture(wanted, self.parent / folder, False, report, resumable)
        return self.parent / folder

    def interrupted(self, wanted, stop, **settings):
        with self.assertRaises(KeyboardInterrupt):
            self.capture(wanted, stop=stop, **settings)
        self.assertEqual(os.listdir(self.parent), [".trace.unfinished"])

    def assert_goes_on(self, wanted, step, **settings):
        """From `step` on, to the trace of a capture that was never interrupted."""
        folder = self.capture(wanted, **settings)
        self.assertEqual(self.lines[0], f"goes on at step {step} of 8")
        self.assertTrue(self.lines[1].startswith(f"step {step} of"))
        self.assert_like_in_one_piece(folder, wanted)

    def assert_like_in_one_piece(self, folder, wanted):
        with tempfile.TemporaryDirectory(dir=self.parent) as whole:
            whole = self.capture(wanted, f"{Path(whole).name}/{folder.name}", resumable=False)
            self.assertEqual(described(folder), described(whole))
            self.assertTrue(arrays(folder) == arrays(whole))
        files = {entry["file"] for entry in described(folder)["iterations"]}
        self.assertEqual(set(os.listdir(folder)), files | {"trace.yaml"})
        self.assertEqual(os.listdir(self.parent), ["trace"])

    def test_wherever_it_was_interrupted(self):
        """Before the stages, within one, at its end, between two, and in the last one."""
        for stop in (0, 1, 2, 4, 6):
            for pooled in (False, True):
                with self.subTest(stop=stop, pooled=pooled):
                    self.interrupted(workload(pooled=pooled), stop)
                    self.assert_goes_on(workload(pooled=pooled), stop + 1)
                    shutil.rmtree(self.parent / "trace")

    def test_with_dropout_batch_normalisation_and_what_adamw_remembers(self):
        for name in ("vgg-fmnist", "resnet20-fmnist", "gpt-kjv", "lstm-kjv"):
            with self.subTest(name):
                self.interrupted(workload(name), 3)
                self.assert_goes_on(workload(name), 4)
                shutil.rmtree(self.parent / "trace")

    def test_steps_behind_the_last_checkpoint_are_taken_again(self):
        """The end of the early stage has one in any case; the late stage was begun before the interruption."""
        self.interrupted(workload(), 6, interval=NEVER)
        self.assertIn("iteration-00002.npy", os.listdir(self.parent / ".trace.unfinished" / "trace"))
        self.assert_goes_on(workload(), 3, interval=NEVER)

    def test_an_iteration_of_which_some_workers_are_recorded_is_recorded_again(self):
        with mock.patch.object(training, "loss_of", side_effect=self.losses_until_call(2 * 6 + 1)):
            with self.assertRaises(KeyboardInterrupt):  # worker 1 of step 6
                self.capture(workload(dtype="f4"))
        self.assert_goes_on(workload(dtype="f4"), 6)

    @staticmethod
    def losses_until_call(number):
        calls, original = iter(range(number + 1)), training.loss_of

        def loss_of(*arguments):
            if next(calls) == number:
                raise KeyboardInterrupt
            return original(*arguments)

        return loss_of

    def test_again_and_again(self):
        for stop in (1, 3, 6):
            self.interrupted(workload("vgg-fmnist"), stop)
        self.assert_goes_on(workload("vgg-fmnist"), 7)

    def test_without_a_checkpoint_it_starts_anew(self):
        self.interrupted(workload(), 1, interval=NEVER)
        folder = self.capture(workload(), interval=NEVER)
        self.assertTrue(self.lines[0].startswith("step 0 of"))
        self.assert_like_in_one_piece(folder, workload())

    def test_other_settings_start_anew_and_keep_nothing_of_the_old(self):
        for settings in (
            {"seed": 7},
            {"lr": 0.01},
            {"ranks": 3},
            {"stages": ("late",), "window": 1},
            {"layers": ("conv*",)},
        ):
            with self.subTest(settings):
                self.interrupted(workload(), 6)
                folder = self.capture(workload(**settings))
                self.assertTrue(self.lines[0].startswith("step 0 of"), self.lines[0])
                self.assert_like_in_one_piece(folder, workload(**settings))
                shutil.rmtree(folder)

    def test_a_checkpoint_of_objects_is_refused_and_runs_nothing(self):
        """Pickled bare, as PyTorch saves, and as an array of objects;
        settings that differ are seen before it is read."""

        class Malicious:
            def __reduce__(self):
                return os.mkdir, (str(made),)

        made, file = self.parent / "made", self.parent / ".trace.unfinished" / "checkpoint.npz"
        settings = {}

        def savez(file):
            np.savez(file, settings=settings["of"], state=np.array([Malicious()], object))

        for write in (
            lambda file: file.write(pickle.dumps(Malicious())),
            lambda file: torch.save({"settings": Malicious()}, file),
            savez,
        ):
            self.interrupted(workload(), 1)
            with np.load(file) as saved:
                settings["of"] = saved["settings"]
            with open(file, "wb") as changed:
                write(changed)
            with self.assertRaisesRegex(
                CaptureError, r"checkpoint.npz is damaged or no checkpoint \([^\n]+\); remove it to begin anew$"
            ):
                self.capture(workload())
            self.assertFalse(made.exists())
            if write is not savez:
                file.unlink()
        self.capture(workload(seed=7))  # its settings are not the file's: nothing else of that is looked at
        self.assertFalse(made.exists())

    def test_a_checkpoint_that_is_cut_off_is_refused(self):
        self.interrupted(workload(), 1)
        file = self.parent / ".trace.unfinished" / "checkpoint.npz"
        file.write_bytes(file.read_bytes()[:-1000])
        with self.assertRaisesRegex(CaptureError, "damaged or no checkpoint .*remove it to begin anew"):
            self.capture(workload())
        file.unlink()
        self.assert_like_in_one_piece(self.capture(workload()), workload())

    def test_a_second_capture_into_the_folder_is_refused_while_the_first_runs(self):
        others = []

        def second(line):
            if line.startswith("step 4 of"):
                with self.assertRaises(CaptureError) as caught:
                    capturing.capture(workload(), self.parent / "trace", False, others.append, True)
                others.append(str(caught.exception))

        capturing.capture(workload(), self.parent / "trace", False, second, True)
        self.assertEqual(
            others,
            [
                f"{self.parent}/trace: process {os.getpid()} makes a capture there; wait for it, or choose another "
                "folder"
            ],
        )
        self.assert_like_in_one_piece(self.parent / "trace", workload())

    def test_a_capture_whose_process_was_killed_locks_nothing(self):
        unfinished = self.parent / ".trace.unfinished"
        script = f"""import os, signal, sys; sys.path.insert(0, {str(ROOT / 'python')!r})
from pathlib import Path
from oscar_capture.lock import FolderLock
lock = FolderLock(Path({str(unfinished)!r}), "trace")
os.kill(os.getpid(), signal.SIGKILL)"""
        self.assertEqual(subprocess.run([sys.executable, "-c", script], check=False).returncode, -9)
        self.assertTrue((unfinished / "lock").exists())
        self.assert_like_in_one_piece(self.capture(workload()), workload())

    def test_a_capture_that_is_refused_leaves_nothing(self):
        with self.assertRaisesRegex(WorkloadError, "needs 120 images"):
            self.capture(workload(batch=60))
        self.assertEqual(os.listdir(self.parent), [])


if __name__ == "__main__":
    unittest.main()
