"""Training with a compressor in the loop, on a clock of simulated time: what scripts/train runs.

    oscar_training.settings   what a file of configs/training says
    oscar_training.methods    what makes the mean gradient of those of the workers: .compressing and .oscar_hw
    oscar_training.network    how long those bytes take on the simulated network
    oscar_training.gpu        how long compressing takes on a GPU, from counts of operations
    oscar_training.loop       the training itself; a row of the record per evaluation

Needs the package oscar_sim (built with the program) and, for loop, PyTorch.
"""

from .error import TrainingError

AFTER_ALL_STEPS = "after all steps"  #: what a record says of a training that did not end early

__all__ = ["AFTER_ALL_STEPS", "TrainingError"]
