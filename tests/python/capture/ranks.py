"""Trainings over gloo whose ranks are processes of their own, so that one of them can end, die or lag.

No rank runs for longer than a limit, at which it prints where each of its threads stood.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import List, NamedTuple

LIMIT = 200  # seconds, of which 5 are usual; ctest's own is 600 for all tests together
ROOT = Path(__file__).resolve().parents[3]

# The model goes before its process group: Reducer's destructor waits for gloo's threads while it holds Python's lock.
# An exception would keep it.
DDP = """
import faulthandler, json, os, signal, sys, time, traceback
from pathlib import Path
import torch, torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from oscar_capture import CaptureError, ddp

def train(rank):
    torch.manual_seed(1)
    model = DistributedDataParallel(torch.nn.Linear(3, 1))
    BEFORE
    capture = ddp.Capture(model, "trace", first=1, count=2, timeout=TIMEOUT)
    model.register_comm_hook(capture, ddp.hook)
    for step in range(3):
        inputs = torch.ones(1, 3)
        if (step, rank) == BAD:
            inputs[0, 2] = VALUE
        if (step, rank) == LAST:
            os.kill(os.getpid(), signal.SIGKILL)
        model.zero_grad(set_to_none=True)
        model(inputs).sum().backward()
    print("trained", step + 1)
    ENDING

def wait_for(name):
    while not Path(name).exists():
        time.sleep(0.01)

def main(rank):
    faulthandler.dump_traceback_later(LIMIT)
    signal.alarm(LIMIT + 20)   # when the others have told, too; ends the process whatever holds Python's lock
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method="file://" + os.getcwd() + "/rendezvous", rank=rank, world_size=2)
    status = 0
    try:
        train(rank)
    except Exception:
        traceback.print_exc()
        status = 1
    dist.destroy_process_group()
    return status

started = []
for rank in range(2):
    started.append(os.fork())   # PyTorch is imported once
    if started[-1] == 0:
        for output, name in ((1, "out"), (2, "err")):
            os.dup2(os.open(f"{name}-{rank}", os.O_WRONLY | os.O_CREAT), output)
        sys.exit(main(rank))
Path("statuses").write_text(json.dumps([os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) for process in started]))
"""
FINISH = """
    try:
        capture.finish()
    except CaptureError as error:
        print(error)
    Path(f"told {rank}").touch()"""


class Ended(NamedTuple):
    """How the ranks ended, by rank, and the files that they left."""

    statuses: List[int]
    outs: List[str]
    errs: List[str]
    files: List[str]

    @property
    def out(self):
        """What all ranks wrote to stdout."""
        return "".join(self.outs)

    @property
    def err(self):
        """What all ranks wrote to stderr."""
        return "".join(self.errs)


def written(script, values):
    """`script` with the `values` in place of their names; the others are as in a training without a fault."""
    usual = {"BAD": "None", "VALUE": "0", "LAST": "None", "TIMEOUT": "100", "BEFORE": "pass", "LIMIT": LIMIT}
    for name, value in {**usual, **values}.items():
        script = script.replace(name, str(value))
    return script


def environment():
    """Of a process that finds the package."""
    return {"PYTHONPATH": str(ROOT / "python"), "PATH": "/usr/bin:/bin", "OMP_NUM_THREADS": "1"}


def run(script, **values):
    """Run the `script`, with its `values`, in a folder of its own; returns an Ended, of one rank if it is not of DDP.

    AssertionError, with what all wrote and thus where they stood, if one runs into its limit.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        (path / "script.py").write_text(written(script, values))
        with open(path / "out", "w") as out, open(path / "err", "w") as err:
            started = subprocess.Popen(
                [sys.executable, "script.py"],
                cwd=folder,
                stdout=out,
                stderr=err,
                env=environment(),
                start_new_session=True,
            )
            try:
                status = started.wait(LIMIT + 60)
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(started.pid, signal.SIGKILL)
        is_ddp = (path / "statuses").exists()
        statuses = json.loads((path / "statuses").read_text()) if is_ddp else [status]
        outs, errs = (
            [(path / f"{name}-{rank}" if is_ddp else path / name).read_text() for rank in range(len(statuses))]
            for name in ("out", "err")
        )
        files = sorted(
            file.name
            for file in path.iterdir()
            if not file.name.startswith(("out", "err", "script.py", "statuses", "rendezvous", "told"))
        )
    if any("Timeout (" in text for text in errs):
        raise AssertionError(
            "\n".join(
                f"rank {rank} ended with {status}, {text}" for rank, (status, text) in enumerate(zip(statuses, errs))
            )
        )
    return Ended(statuses, outs, errs, files)
