"""Captures that cannot become a trace: gradients that are not finite, scripts that end without finish()."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from support import ROOT

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
DDP = """
import torch, torch.distributed as dist, torch.multiprocessing as multiprocessing
from torch.nn.parallel import DistributedDataParallel
from oscar_capture import CaptureError, ddp

def worker(rank, size):
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method="file://" + FOLDER + "/rendezvous", rank=rank, world_size=size)
    torch.manual_seed(1)
    model = DistributedDataParallel(torch.nn.Linear(3, 1))
    capture = ddp.Capture(model, "trace", first=1, count=2)
    model.register_comm_hook(capture, ddp.hook)
    for step in range(3):
        inputs = torch.ones(1, 3)
        if (step, rank) == BAD:
            inputs[0, 2] = VALUE
        model.zero_grad(set_to_none=True)
        model(inputs).sum().backward()
    print("trained", step + 1)
    ENDING

if __name__ == "__main__":
    multiprocessing.spawn(worker, (2,), nprocs=2)
"""
FINISH = """try:
        capture.finish()
    except CaptureError as error:
        print(error)"""


def run(script, **values):
    """(exit status, stdout, stderr, files) of a script in a folder of its own; `values` go in by name."""
    with tempfile.TemporaryDirectory() as folder:
        for name, value in {"BAD": "None", "VALUE": "0", "FOLDER": repr(folder), **values}.items():
            script = script.replace(name, value)
        (Path(folder) / "script.py").write_text(script)
        ended = subprocess.run([sys.executable, "script.py"], cwd=folder, capture_output=True, text=True, check=False,
                               env={"PYTHONPATH": str(ROOT / "python"), "PATH": "/usr/bin:/bin", "OMP_NUM_THREADS": "1"})
        return ended.returncode, ended.stdout, ended.stderr, sorted(path.name for path in Path(folder).iterdir())


class NotFinite(unittest.TestCase):
    WORDS = "iteration 2: the gradient of rank 1 is {} at value 2 of layer weight; no trace can be written: choose iterations whose gradients are finite"

    def test_a_ddp_training_goes_on_and_the_iteration_rank_and_layer_are_named(self):
        for value, word in (("float('nan')", "NaN"), ("float('-inf')", "infinite")):
            with self.subTest(word):
                status, out, err, files = run(DDP, BAD="(2, 1)", VALUE=value, ENDING=FINISH)
                self.assertEqual(status, 0, err)
                self.assertEqual(out.count("trained 3"), 2)
                self.assertEqual(err.count(f"oscar_capture: {self.WORDS.format(word)}\n"), 1, err)   # by rank 1, when it happens
                self.assertIn(f"\n{self.WORDS.format(word)}\n", f"\n{out}")                             # by its finish()
                self.assertIn(f"\nrank 1: {self.WORDS.format(word)}\n", f"\n{out}")                     # by that of rank 0
                self.assertNotIn("trace", files)

    def test_an_iteration_that_is_not_recorded_may_have_any_values(self):
        status, out, err, files = run(DDP, BAD="(0, 1)", VALUE="float('nan')", ENDING=FINISH)
        self.assertEqual((status, "oscar_capture" in err), (0, False), err)
        self.assertIn("trace", files, out)

    def test_workers_in_turn_are_told_the_same(self):
        status, _, err, files = run(LOGICAL + "recorder.finish()\n", BAD="(2, 1)", VALUE="float('nan')")
        self.assertEqual(status, 1)
        self.assertIn(f"CaptureError: {self.WORDS.format('NaN')}", err)
        self.assertEqual(files, ["script.py"])


class Unfinished(unittest.TestCase):
    def test_a_ddp_script_that_ends_without_finish_is_told_once_what_is_missing(self):
        # A rank that ends at once can close gloo's connections while the other still receives its last gradients.
        status, _, err, files = run(DDP, ENDING="import time; time.sleep(1)")
        self.assertEqual(status, 0, err)   # it is the training's own
        self.assertRegex(err, r"oscar_capture: .*/trace: no trace was written, for finish\(\) was never called \(2 of 2 iterations were recorded\); "
                              r"all ranks call finish\(\) after training\n")
        self.assertEqual(err.count("no trace was written"), 1, err)
        self.assertNotIn("trace", files)

    def test_so_is_one_of_workers_in_turn_also_after_an_error_of_its_own(self):
        for ending, status in (("", 0), ("raise SystemExit(3)\n", 3), ("del recorder\nprint(open('script.py').name)\n", 0)):
            with self.subTest(ending):
                ended = run(LOGICAL + ending)
                self.assertEqual(ended[0], status)
                self.assertIn("(2 of 2 iterations were recorded); call finish() after training", ended[2])

    def test_a_capture_that_was_finished_or_given_up_ends_in_silence(self):
        for ending in ("recorder.finish()\n", "recorder.discard()\n"):
            with self.subTest(ending):
                self.assertEqual(run(LOGICAL + ending)[2], "")

    def test_a_rank_that_calls_finish_alone_is_told_in_one_line_what_all_must_do(self):
        status, out, err, files = run(DDP, ENDING=f"if rank == 1:\n        return\n    {FINISH}")
        self.assertEqual(status, 0, err)
        self.assertRegex(out, r"another rank has ended or failed: all ranks must make a Capture and call its finish\(\) \([^\n]+\)\n")
        self.assertNotIn("trace", files)

    def test_a_mistake_that_one_rank_sees_is_told_on_all(self):
        made = 'capture = ddp.Capture(model, "trace", first=1, count=2)'
        script = DDP.replace(made, f"""import os
    os.makedirs("trace/mine", exist_ok=True)
    try:
        {made}
    except CaptureError as error:
        print(f"to {{rank}}: {{error}}")
        dist.destroy_process_group()   # gloo's threads must have ended when the process does
        return""")
        status, out, err, _ = run(script, ENDING="pass")
        self.assertEqual(status, 0, err)
        said = {line.split(": ", 1)[0]: line.split(": ", 1)[1] for line in out.splitlines()}
        self.assertRegex(said["to 0"], "trace.*(exists|empty)")
        self.assertEqual(said["to 1"], f"rank 0: {said['to 0']}")


if __name__ == "__main__":
    unittest.main()
