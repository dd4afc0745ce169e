"""The methods that a training can name, and what is wrong with one."""

import numpy as np
import oscar_sim

from . import gpu
from .compressing import Compressing
from .error import TrainingError
from .network import words_of
from .oscar_hw import OscarHw
from .replayed import Replay

_SIZE = 4096  # values of a worker's gradient in the step that every method takes to be checked


def find_problem(method, settings):
    """What is wrong with a method, in one line, or None: no such kind or parameter, a machine that does not take it, no
    seconds for what it counts. It takes one step with small gradients."""
    gradients = [np.random.RandomState(rank).laplace(size=_SIZE).astype(np.float32) for rank in range(settings.ranks)]
    tensors = [(0, _SIZE, 64)]
    try:
        if method.kind == "oscar_hw":
            OscarHw(method, settings, Replay(settings.machine, settings.ranks, tensors)).step(gradients, tensors)
        else:
            gpu.seconds(
                Compressing(method, settings, None, seed=1).compress(gradients, tensors).operations, settings.gpu
            )
    except (TypeError, ValueError, TrainingError, oscar_sim.SimulationError) as error:
        return words_of(error)
    return None
