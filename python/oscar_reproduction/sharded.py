"""TAGC's bits per parameter, and from which size on a layer gains by it (Polyakov et al., EuroMLSys 2025)."""

from dataclasses import dataclass

import numpy as np
import oscar_sim

BLOCK = 1024
# Theta of the paper's Table 1, for two ranks.
ZEROS = {2: 0.8, 4: 0.9, 10: 0.9875}


def step_of(elements, ranks=2, ratio=10, index="or", zeros=None, seed=1):
    """A step of normally distributed gradients of one unit."""
    compressor = oscar_sim.Compressor(
        "tagc",
        ranks=ranks,
        seed=seed,
        ratio=ratio,
        index=index,
        units="all",
        zeros=ZEROS[ratio] if zeros is None else zeros,
    )
    generator = np.random.default_rng(seed)
    return compressor.step([generator.standard_normal(elements, np.float32) for _ in range(ranks)])


def bits_per_parameter(ratio, index, ranks=2, elements=2 * 200 * BLOCK):
    """In the paper's convention: a Reduce counts once, an AllReduce twice."""
    exchanges = step_of(elements, ranks, ratio, index).exchanges
    return 8 * sum(e.padded * (2 if e.carrier == "all_reduce" else 1) for e in exchanges) / elements


@dataclass
class UnitTime:
    """Seconds of one unit's gradient exchange."""

    elements: int
    dense: float  #: reduce-scatter
    compression: float  #: on the GPU
    exchange: float  #: index and sketch

    @property
    def tagc(self):
        return self.compression + self.exchange


def unit_time(elements, machine, ratio=10, seed=1):
    """Of normally distributed gradients of two ranks; `machine`: keys of an experiment."""
    generator = np.random.default_rng(seed)
    gradients = [generator.standard_normal(elements, np.float32) for _ in range(2)]
    tagc = {"kind": "tagc", "ratio": ratio, "units": "all", "zeros": ZEROS[ratio]}
    steps = []
    for method in ("fp32", tagc):
        experiment = {**machine, "ranks": 2, "collective": {"kind": "reduce_scatter"}, "methods": [method]}
        with oscar_sim.LiveRun(experiment, [("unit", (elements,))]) as run:
            steps.append(run.step(gradients))
    dense, compressed = steps
    return UnitTime(elements, dense.collectives, compressed.kernels, compressed.collectives - compressed.kernels)
