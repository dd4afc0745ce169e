"""What the tests of oscar_capture share: the gloo trainings of capture_jobs, and readers of traces.

To be imported first: it finds the package, and without PyTorch it skips the test file.
"""

import functools
import importlib.util
import os
import sys
import tempfile
import unittest
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np
import yaml

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "python"), str(Path(__file__).parent)]
if importlib.util.find_spec("torch") is None:
    raise unittest.SkipTest("PyTorch is missing (Debian package python3-torch)")

import torch
import torch.nn.functional as F

import capture_jobs as jobs
from oscar_capture import logical

torch.set_num_threads(1)
SIZES = (2, 3, 4)  # processes
_TEMPORARY = tempfile.TemporaryDirectory()  # until the last test has run
FOLDER = Path(_TEMPORARY.name)


@functools.lru_cache(maxsize=None)
def found(size):
    """What happened in the trainings of `size` processes, which run once: [{scenario: namespace}] by rank."""
    (FOLDER / str(size)).mkdir()
    return jobs.run(size, FOLDER / str(size))


def trace_folder(size, scenario):
    """The trace that a scenario of the trainings left."""
    found(size)
    return FOLDER / str(size) / scenario / "trace"


def all_traces():
    """(folder, trace.yaml) of every trace that the trainings left."""
    for size in SIZES:
        found(size)
    for folder in sorted(FOLDER.glob("*/*/trace")):
        yield folder, manifest(folder)


def manifest(folder):
    return yaml.safe_load((folder / "trace.yaml").read_text(encoding="utf-8"))


def gradients(folder):
    """{step: {layer: fp32 [ranks, size]}} of a trace; fp16 arrays come with their scale applied."""
    description, found = manifest(folder), {}
    sizes = [int(np.prod(layer["shape"])) for layer in description["layers"]]
    for entry in description["iterations"]:
        parts = np.split(_values(folder, entry), np.cumsum(sizes)[:-1], axis=1)
        found[entry["step"]] = {layer["name"]: part for layer, part in zip(description["layers"], parts)}
    return found


def _values(folder, entry):
    return np.load(folder / entry["file"]).astype(np.float32) * np.float32(entry.get("scale", 1))


def bits(array):
    return np.ascontiguousarray(array, np.float32).view(np.uint32)


def run_logical(folder, ranks, steps, windows, **about):
    """The trainings of capture_jobs in one process."""
    model = jobs.make()
    optimiser = jobs.optimiser_of(model)
    recorder = logical.Recorder(model, folder, ranks, windows=windows, **about)
    for step in range(steps):
        for rank in range(ranks):
            with recorder.worker(rank):
                images, labels = jobs.batch(rank, step)
                recorder.loss(F.cross_entropy(model(images), labels)).backward()
        recorder.average()
        optimiser.step()
    recorder.finish()
    return model
