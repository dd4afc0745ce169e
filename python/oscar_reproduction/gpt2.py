"""TAGC inside the sharded step of GPT-2 small: two hosts with a GPU each, 10 Gbit/s (Polyakov et al., EuroMLSys 2025,
Table 2)."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import oscar_sim

RANKS = 2
MICRO_STEPS = 20  # of an iteration, 40 / RANKS; each exchanges its gradients, for FSDP ran without no_sync
ROOT = Path(__file__).resolve().parents[2]
# Captured gradients of 8 workers, in units that no size depends on.
WINDOW = ROOT / "traces/gpt2-window/iteration-00001.npy"
# An RTX 3080: 760 GB/s of memory, 29.8 TFLOP/s, of which half is reached. It converts by kernels of its own, for its
# NIC cannot.
GPU = {"gradients": "codes", "memory_bandwidth": "6080Gbps", "prices": {"products_per_ns": 7450}}
# 22.4 % of 26.8 s are the passes of FSDP's iteration, a third of them the forward pass.
STEP = {"strategy": "fsdp", "forward": "100ms", "backward": "200ms", "parameters": "fp32"}
UNIT = 2_000_000  # elements from which on FSDP wraps a layer by itself
METHODS = {
    "fp32": "fp32",
    "bf16": "bf16",
    "tagc, all but attention": {"kind": "tagc", "units": "gpt2_as_published", "ratio": 10, "zeros": 0.9875},
    "tagc, all": {"kind": "tagc", "units": "all", "ratio": 10, "zeros": 0.9875},
}
PUBLISHED = {"fp32": 25.2, "tagc, all but attention": 22.6}  # seconds of an iteration, non-attention layers wrapped


def layers():
    """(name, shape) of all 162.6 M parameters, without weight tying and biases."""
    block = (("ln_1", (768,)), ("attn", (2304, 768)), ("attn_proj", (768, 768)))
    block += (("ln_2", (768,)), ("mlp", (3072, 768)), ("mlp_proj", (768, 3072)))
    blocks = [(f"h{i}.{name}", shape) for i in range(12) for name, shape in block]
    return [("wte", (50304, 768)), ("wpe", (512, 768)), *blocks, ("ln_f", (768,)), ("head", (50304, 768))]


def gradients(window, seed=0):
    """Of each rank: every layer is filled with the captured values of a worker, from another place on."""
    captured = np.load(window).astype(np.float32)[:RANKS]
    captured /= np.abs(captured).max()
    places = np.random.default_rng(seed).integers(captured.shape[1], size=len(layers()))
    of_layers = [
        np.resize(np.roll(captured, -place, axis=1).T, (int(np.prod(shape)), RANKS))
        for place, (_, shape) in zip(places, layers())
    ]
    return [np.concatenate([values[:, rank] for values in of_layers]) for rank in range(RANKS)]


@dataclass
class Iteration:
    method: str
    link: str  #: bandwidth
    seconds: float  #: of an iteration
    exchange: float  #: of it the exchange of gradients with its kernels, were it alone
    kernels: float
    mib: float  #: of gradients that a rank sends in a micro-step
    published: float  #: seconds; None where the paper has none


def machine(link):
    """Keys of an experiment: the two hosts, on links of this bandwidth."""
    return {
        "ranks": RANKS,
        "network": {
            "topology": {"kind": "star"},
            "link": {"bandwidth": link, "propagation": "500ns"},
            "packet": "4KiB",
        },
        "gpu": GPU,
        "fidelity": "message",
    }


def iterations(link, window=WINDOW, methods=tuple(METHODS)):
    """Yields the Iteration of each of METHODS on links of this bandwidth; the second step of each counts."""
    values = gradients(window)
    for method in methods:
        experiment = {
            **machine(link),
            "collective": {"kind": "reduce_scatter"},
            "step": {**STEP, "buckets": {"size": f"{4 * UNIT}B", "first": f"{4 * UNIT}B"}},
            "methods": [METHODS[method]],
        }
        with oscar_sim.LiveRun(experiment, layers()) as run:
            step = [run.step(values) for _ in range(2)][-1]
        yield Iteration(
            method,
            link,
            MICRO_STEPS * step.seconds,
            MICRO_STEPS * step.collectives,
            MICRO_STEPS * step.kernels,
            step.payload_bytes / RANKS / 2**20,
            PUBLISHED.get(method),
        )
