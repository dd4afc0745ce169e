"""The time of one AllReduce of what a step sent: it becomes a trace of two iterations,
of which the second is replayed."""

import tempfile
from pathlib import Path

import numpy as np
import oscar_sim
import yaml


class Replay:
    """Calls of it simulate; `machine` is an experiment without trace and methods."""

    def __init__(self, machine, ranks, tensors, simulate=oscar_sim.simulate):
        self._machine, self._ranks, self._tensors, self._run = machine, ranks, tensors, simulate

    def __call__(self, before, sent, experiment):
        """(seconds, bytes of a rank's gradient as coded: each crosses 2 (N - 1) of the links of an AllReduce of N
        ranks).

        `before`, `sent`: per rank the values of the codes of two steps. `experiment`: codec, chunks, ... of the method,
        with the `quantiser` of quantiser_of_sent.
        """
        experiment = dict(experiment)
        codec = experiment.pop("codec")
        # What was sent is not searched for a peak again; a GPU's operations are on a clock of their own (gpu.py).
        gpu = {**self._machine.get("gpu", {}), "scan_passes": 0}
        with tempfile.TemporaryDirectory() as folder:
            write_trace(Path(folder), (before, sent), self._tensors)
            report = self._run(
                {
                    **self._machine,
                    **experiment,
                    "gpu": gpu,
                    "trace": folder,
                    "ranks": self._ranks,
                    "iterations": {"first": 1, "count": 1},
                    "methods": [codec],
                }
            )
        method = report["methods"][0]
        return method["allreduce_ps"] * 1e-12, method["payload_bytes"] / (2 * (self._ranks - 1))


def quantiser_of_sent(kind, bits):
    """The quantiser of an experiment that codes values of codes as these very codes.

    A scale is the largest magnitude of a rank, to which the quantiser `kind` of training gave the largest code; so the
    largest code of what was sent names the scale again. Residuals and draws are in the values already.
    """
    return {"kind": "per_tensor" if kind.startswith("per_tensor") else "max", "bits": bits, "agreement": "exact"}


def write_trace(folder, iterations, tensors):
    """A trace (docs/trace-format.md) of gradients [rank][element] per iteration; `tensors`: (begin, end, rows)."""
    layers = [{"name": f"tensor{i}", "shape": [int(end - begin)]} for i, (begin, end, _) in enumerate(tensors)]
    files = [{"file": f"iteration-{i:05}.npy", "step": i} for i in range(len(iterations))]
    for entry, gradients in zip(files, iterations):
        np.save(folder / entry["file"], np.stack(gradients).astype("<f4"))
    manifest = {
        "format": 1,
        "parameters": int(tensors[-1][1]),
        "ranks": len(iterations[0]),
        "layers": layers,
        "iterations": files,
    }
    (folder / "trace.yaml").write_text(yaml.safe_dump(manifest, sort_keys=False), encoding="utf-8")
