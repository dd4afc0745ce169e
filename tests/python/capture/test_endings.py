"""Captures that cannot become a trace: gradients that are not finite, scripts that end without finish()."""

import unittest

import support  # noqa: F401  (skips the file without PyTorch)
from ranks import DDP, FINISH, run

LOGICAL = """
import torch
from oscar_capture import CaptureError, logical
model = torch.nn.Linear(3, 1)
recorder = logical.Recorder(model, "trace", ranks=2, first=1, count=2)
for step in range(3):
    for rank in range(2):
        with recorder.worker(rank):
            inputs = torch.ones(1, 3)
            if (step, rank) == BAD:
                inputs[0, 2] = VALUE
            model(inputs).sum().backward()
    recorder.average()
"""


def run_logical(script, **values):
    """(exit status, stderr, files) of a script in a folder of its own; `values` go in by name."""
    ended = run(script, **values)
    return ended.statuses[0], ended.err, ended.files


class NotFinite(unittest.TestCase):
    WORDS = (
        "iteration 2: the gradient of rank 1 is {} at value 2 of layer weight; no trace can be written: choose "
        "iterations whose gradients are finite"
    )

    def test_a_ddp_training_goes_on_and_the_iteration_rank_and_layer_are_named(self):
        for value, word in (("float('nan')", "NaN"), ("float('-inf')", "infinite")):
            with self.subTest(word):
                ended, words = run(DDP, BAD="(2, 1)", VALUE=value, ENDING=FINISH), self.WORDS.format(word)
                self.assertEqual(ended.statuses, [0, 0], ended.err)
                self.assertEqual(ended.errs, ["", f"oscar_capture: {words}\n"])  # when it happens
                self.assertEqual(ended.outs, [f"trained 3\nrank 1: {words}\n", f"trained 3\n{words}\n"])  # by finish()
                self.assertEqual(ended.files, [])

    def test_an_iteration_that_is_not_recorded_may_have_any_values(self):
        ended = run(DDP, BAD="(0, 1)", VALUE="float('nan')", ENDING=FINISH)
        self.assertEqual((ended.statuses, ended.err), ([0, 0], ""))
        self.assertEqual(ended.files, ["trace"], ended.out)

    def test_workers_in_turn_are_told_the_same(self):
        status, err, files = run_logical(LOGICAL + "recorder.finish()\n", BAD="(2, 1)", VALUE="float('nan')")
        self.assertEqual(status, 1)
        self.assertIn(f"CaptureError: {self.WORDS.format('NaN')}", err)
        self.assertEqual(files, [])


class Unfinished(unittest.TestCase):
    def test_a_ddp_script_that_ends_without_finish_is_told_once_what_is_missing(self):
        ended = run(DDP, ENDING="pass")
        self.assertEqual(ended.statuses, [0, 0], ended.err)  # it is the training's own
        self.assertRegex(
            ended.errs[0],
            r"^oscar_capture: .*/trace: no trace was written, for finish\(\) was never called \(2 of 2 iterations were "
            r"recorded\); all ranks call finish\(\) after training\n$",
        )
        self.assertEqual(ended.errs[1], "")
        self.assertEqual(ended.files, [])

    def test_so_is_one_of_workers_in_turn_also_after_an_error_of_its_own(self):
        for ending, status in (
            ("", 0),
            ("raise SystemExit(3)\n", 3),
            ("del recorder\nprint(open('script.py').name)\n", 0),
        ):
            with self.subTest(ending):
                ended = run_logical(LOGICAL + ending)
                self.assertEqual(ended[0], status)
                self.assertIn("(2 of 2 iterations were recorded); call finish() after training", ended[1])

    def test_a_capture_that_was_finished_or_given_up_ends_in_silence(self):
        for ending in ("recorder.finish()\n", "recorder.discard()\n"):
            with self.subTest(ending):
                self.assertEqual(run_logical(LOGICAL + ending)[1], "")

    def test_a_mistake_that_one_rank_sees_is_told_on_all(self):
        ended = run(DDP, BEFORE='os.makedirs("trace/mine", exist_ok=True)')
        self.assertEqual(ended.statuses, [1, 1])
        to = [err.splitlines()[-1] for err in ended.errs]
        self.assertRegex(to[0], "CaptureError: .*/trace exists and is not empty; remove it or choose another place$")
        self.assertEqual(to[1], to[0].replace("CaptureError: ", "CaptureError: rank 0: "))


if __name__ == "__main__":
    unittest.main()
