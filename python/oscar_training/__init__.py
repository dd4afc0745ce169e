"""Training whose gradients go over the simulated machine, by its clock: what scripts/train runs.

    oscar_training.settings   what a file of configs/training says
    oscar_training.machine    the run of `oscar-sim` that carries the gradients of each step, and its clock
    oscar_training.loop       the training itself; a row of the record per evaluation

Needs the package oscar_sim (built with the program) and, for loop, PyTorch.
"""

from .error import TrainingError

AFTER_ALL_STEPS = "after all steps"  #: what a record says of a training that did not end early

__all__ = ["AFTER_ALL_STEPS", "TrainingError"]
