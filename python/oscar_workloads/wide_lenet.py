"""A LeNet of 1,111,946 parameters, which a CPU can still train."""

from collections import OrderedDict

from torch import nn

MODEL = (
    "LeNet of 1,111,946 values: conv 5x5 1-32, ReLU, max-pool 2, conv 5x5 32-64, ReLU, max-pool 2, "
    "fc 1024-1024, ReLU, fc 1024-10; cross-entropy loss"
)


def make():
    """Images [batch, 1, 28, 28] to class scores [batch, 10]."""
    return nn.Sequential(
        OrderedDict(
            conv1=nn.Conv2d(1, 32, 5),
            relu1=nn.ReLU(),
            pool1=nn.MaxPool2d(2),
            conv2=nn.Conv2d(32, 64, 5),
            relu2=nn.ReLU(),
            pool2=nn.MaxPool2d(2),
            flat=nn.Flatten(),
            fc1=nn.Linear(1024, 1024),
            relu3=nn.ReLU(),
            fc2=nn.Linear(1024, 10),
        )
    )
