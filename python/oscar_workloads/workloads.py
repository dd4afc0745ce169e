"""The list of workloads: which model learns what, and the settings with which its shipped trace was made.

A further workload is one more entry here and, for a new model, one more file beside this. Needs no PyTorch.
"""

import importlib
from dataclasses import dataclass
from typing import Tuple

from .sources import FASHION_MNIST, KING_JAMES, Source


OPTIMISERS = ("sgd", "adamw")
STAGES = ("early", "middle", "late")  # middle: half-way; late: the last steps


@dataclass(frozen=True)
class Workload:
    """A model, its data and the defaults of a training run."""
    name: str
    model: str                     # module of this package with MODEL, a description, and make()
    source: Source
    optimiser: str                 # one of OPTIMISERS
    lr: float                      # learning rate
    batch: int                     # examples per worker and step
    steps: int                     # optimiser steps of the whole training
    early: int                     # optimiser steps before the early stage
    momentum: float = 0.9          # of SGD
    ranks: int = 8                 # workers
    window: int = 4                # consecutive steps recorded at a stage
    stages: Tuple[str, ...] = ("early", "late")  # of STAGES
    seed: int = 1                  # of the initial weights, the order of the data and dropout
    dtype: str = "f2"              # type of the recorded values
    layers: Tuple[str, ...] = ()   # globs of the recorded layers; none: all

    def module(self):
        """The Python module of the model."""
        return importlib.import_module(f"{__package__}.{self.model}")


# The stem and the first block of stage 1, the first block of stage 2, the end of stage 3 with the classifier.
RESNET_PART = ("conv1.*", "bn1.*", "layer1.0.*", "layer2.0.*", "layer3.2.conv2.*", "layer3.2.bn2.*", "fc.*")

WORKLOADS = {workload.name: workload for workload in (
    Workload("lenet-fmnist", "lenet", FASHION_MNIST, "sgd", lr=0.05, batch=32, steps=1200, early=10, dtype="f4"),
    Workload("resnet20-fmnist", "resnet", FASHION_MNIST, "sgd", lr=0.1, batch=16, steps=600, early=10,
             layers=RESNET_PART),
    Workload("vgg-fmnist", "vgg", FASHION_MNIST, "sgd", lr=0.02, batch=32, steps=1000, early=20),
    Workload("lstm-kjv", "lstm", KING_JAMES, "adamw", lr=3e-3, batch=16, steps=1000, early=20),
    Workload("gpt-kjv", "gpt", KING_JAMES, "adamw", lr=2e-3, batch=16, steps=1500, early=20),
)}
