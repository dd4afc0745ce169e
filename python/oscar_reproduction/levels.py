"""Two factors of one gradient: by a pass each over all of it, or the second out of the first (GraVAC, Table 3)."""

from dataclasses import dataclass
import time

import numpy as np
import oscar_sim

SELECTORS = {"top_k": "Top-k", "dgc_lite": "DGC", "redsync": "RedSync", "random_k": "Random-k"}
PUBLISHED = {
    "top_k": (1.83, 1.49, 1.59),
    "dgc_lite": (1.52, 1.27, 1.4),
    "redsync": (1.1, 1.16, 1.5),
    "random_k": (1.64, 1.34, 1.5),
}
FIRST, SECOND = 10, 100


@dataclass
class Levels:
    selector: str
    direct: float  #: modelled seconds on the GPU of FIRST and of FIRST * SECOND, each from the whole gradient
    multi: float  #: of FIRST and, out of what that left, SECOND
    measured_direct: float  #: processor seconds of this program
    measured_multi: float


def levels(selector, machine, elements=1 << 22, seed=1):
    """Of a gradient with log-normal magnitudes; `machine`: keys of an experiment."""
    generator = np.random.default_rng(seed)
    gradient = (generator.lognormal(0, 2, elements) * generator.choice([-1, 1], elements)).astype(np.float32)

    def run(kind, **parameters):
        compressor = oscar_sim.Compressor(kind, ranks=1, seed=seed, **parameters)
        begin = time.process_time()
        compressor.step([gradient])
        processor = time.process_time() - begin
        method = {"kind": kind, "feedback": False, **parameters}
        with oscar_sim.LiveRun({**machine, "ranks": 2, "methods": [method]}, [("gradient", (elements,))]) as run:
            return run.step([gradient, gradient]).kernels, processor

    low, high = run(selector, factor=FIRST), run(selector, factor=FIRST * SECOND)
    multi = run("multi_level", compressor=selector, first=FIRST, second=SECOND)
    return Levels(selector, low[0] + high[0], multi[0], low[1] + high[1], multi[1])
