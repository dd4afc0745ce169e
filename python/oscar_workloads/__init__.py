"""Small models and the real data they are trained on: what scripts/capture trains.

    oscar_workloads.workloads  the list: which model, which data, with which settings
    oscar_workloads.sources    the data sets, their licences and the Debian packages that carry them
    oscar_workloads.images     Fashion-MNIST        oscar_workloads.text  the King James Bible as characters
    oscar_workloads.training   synchronous data-parallel steps of one process that plays all workers

Models are one file each. Listing and checking need no PyTorch; building and loading do (1.13 or later).
"""

from .error import WorkloadError

__all__ = ["WorkloadError"]
