"""The simulated machine of a training: an experiment that carries the gradients of each step (oscar_sim.LiveRun)."""

import numpy as np
import oscar_sim

_LAYER = ("weight", (64, 64))  # of the step that every method takes to be checked


def run(settings, method, seed, layers):
    """The LiveRun of a method; `layers`: (name, shape) of each tensor of the model. ConfigError, SimulationError."""
    return oscar_sim.LiveRun(experiment(settings, method, seed), layers)


def experiment(settings, method, seed):
    """The configuration of a run, without a trace: the machine of the settings, with this one method."""
    said = {"kind": method.kind, **method.parameters}
    return {**settings.machine, "ranks": settings.ranks, "seed": seed, "methods": [said]}


def find_problem(settings, method):
    """("machine" or "method", what is wrong with it in one line), or None. The method takes one step with small
    gradients."""
    try:
        with run(settings, method, 1, [_LAYER]) as machine:
            machine.step(made_up(settings.ranks, machine.values))
    except (oscar_sim.ConfigError, oscar_sim.SimulationError) as error:
        text = str(error)
        return ("method" if text.startswith("methods") else "machine", text.removeprefix("methods.0").lstrip(".: "))
    return None


def made_up(ranks, values, seed=0):
    """Gradients of the shape of real ones: a few are large."""
    return [np.random.RandomState(seed + rank).laplace(size=values).astype(np.float32) for rank in range(ranks)]
