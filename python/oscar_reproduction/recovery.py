"""What LHC recovers of sparse gradients, against the load of its sketch (Li et al., arXiv 2402.07529)."""

from dataclasses import dataclass

import numpy as np
import oscar_sim

RATIO = 10  # elements per cell, of the authors' demonstration


@dataclass
class Recovery:
    blocks: int  #: of the gradient
    load: float  #: listed elements per cell
    unpeeled: float  #: share of the listed elements that are estimates
    rounds: int  #: of peeling


def recovery(blocks, load, lanes=256, seed=1):
    """Of one rank's gradient of integers, each listed with probability load / RATIO; exact where it was peeled."""
    generator = np.random.default_rng([seed, blocks, round(1000 * load)])
    size = blocks * lanes
    listed = generator.random(size) < load / RATIO
    gradient = (generator.integers(1, 2**20, size) * listed).astype(np.float32)
    step = oscar_sim.Compressor("lhc", ranks=1, seed=seed, ratio=RATIO, lanes=lanes, cells="int32").step([gradient])
    wrong = np.count_nonzero(step.mean[listed] != step.sent[0][listed])
    return Recovery(blocks, load, wrong / np.count_nonzero(listed), step.operations["rounds"])
