"""The list of workloads: which model learns what, and the settings with which its shipped trace was made.

A further workload is one more entry here and, for a new model, one more file beside this. Needs no PyTorch.
"""

import importlib
from dataclasses import dataclass
from typing import Tuple

from .sources import FASHION_MNIST, KING_JAMES, KING_JAMES_BYTE_PAIRS, KING_JAMES_WORDS, LARGE_FASHION_MNIST, Source


OPTIMISERS = ("sgd", "adamw")
STAGES = ("early", "middle", "late")  # middle: half-way; late: the last steps


@dataclass(frozen=True)
class Workload:
    """A model, its data and the defaults of a training run."""

    name: str
    model: str  # module of this package with MODEL, a description, and make()
    source: Source
    optimiser: str  # one of OPTIMISERS
    lr: float  # learning rate
    batch: int  # examples per worker and step
    steps: int  # optimiser steps of the whole training
    early: int  # optimiser steps before the early stage
    momentum: float = 0.9  # of SGD
    ranks: int = 8  # workers
    window: int = 4  # consecutive steps recorded at a stage
    stages: Tuple[str, ...] = ("early", "late")  # of STAGES
    seed: int = 1  # of the initial weights, the order of the data and dropout
    dtype: str = "f2"  # type of the recorded values
    layers: Tuple[str, ...] = ()  # globs of the recorded layers; none: all
    pooled: bool = False  # steps that are not recorded take all workers' examples in one pass: as
    # exact as any other order of addition, unless the model has batch normalisation

    def module(self):
        """The Python module of the model."""
        return importlib.import_module(f"{__package__}.{self.model}")


# The stem and the first block of stage 1, the first block of stage 2, the end of stage 3 with the classifier.
RESNET_PART = ("conv1.*", "bn1.*", "layer1.0.*", "layer2.0.*", "layer3.2.conv2.*", "layer3.2.bn2.*", "fc.*")

SHIPPED = {  # those whose traces come with the program
    workload.name: workload
    for workload in (
        Workload("lenet-fmnist", "lenet", FASHION_MNIST, "sgd", lr=0.05, batch=32, steps=1200, early=10, dtype="f4"),
        Workload(
            "resnet20-fmnist", "resnet", FASHION_MNIST, "sgd", lr=0.1, batch=16, steps=600, early=10, layers=RESNET_PART
        ),
        Workload("vgg-fmnist", "vgg", FASHION_MNIST, "sgd", lr=0.02, batch=32, steps=1000, early=20),
        Workload("lstm-kjv", "lstm", KING_JAMES, "adamw", lr=3e-3, batch=16, steps=1000, early=20),
        Workload("gpt-kjv", "gpt", KING_JAMES, "adamw", lr=2e-3, batch=16, steps=1500, early=20),
    )
}

OF_TORCHVISION = ("resnet50", "vgg16", "vit_b16")  # models that are taken from there
# Models of a million values and more, each captured in at most about half an hour of one core.
TRUE_SIZE = {
    workload.name: workload
    for workload in (
        Workload(
            "resnet50-fmnist", "resnet50", LARGE_FASHION_MNIST, "sgd", lr=0.05, batch=8, steps=500, early=10, window=2
        ),
        Workload(
            "vgg16-fmnist",
            "vgg16",
            LARGE_FASHION_MNIST,
            "sgd",
            lr=0.01,
            batch=4,
            steps=600,
            early=10,
            window=2,
            pooled=True,
        ),
        Workload(
            "gpt2-kjv",
            "gpt2",
            KING_JAMES_BYTE_PAIRS,
            "adamw",
            lr=3e-4,
            batch=1,
            steps=200,
            early=10,
            window=2,
            pooled=True,
        ),
        Workload(
            "lstm1500-kjv",
            "large_lstm",
            KING_JAMES_WORDS,
            "adamw",
            lr=1e-3,
            batch=4,
            steps=200,
            early=10,
            window=2,
            pooled=True,
        ),
        Workload(
            "vit-b16-fmnist",
            "vit_b16",
            LARGE_FASHION_MNIST,
            "adamw",
            lr=1e-4,
            batch=4,
            steps=300,
            early=10,
            window=2,
            pooled=True,
        ),
        Workload(
            "wide-lenet-fmnist",
            "wide_lenet",
            FASHION_MNIST,
            "sgd",
            lr=0.05,
            batch=32,
            steps=400,
            early=10,
            window=2,
            pooled=True,
        ),
    )
}
WORKLOADS = {**SHIPPED, **TRUE_SIZE}
