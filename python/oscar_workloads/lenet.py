"""LeNet-5 style CNN (LeCun et al., 1998) with ReLU and max-pooling."""

from collections import OrderedDict

from torch import nn

MODEL = (
    "LeNet-5 style CNN: conv 5x5 1-6, ReLU, max-pool 2, conv 5x5 6-16, ReLU, max-pool 2, "
    "fc 256-88, ReLU, fc 88-72, ReLU, fc 72-10; cross-entropy loss"
)


def make():
    """Images [batch, 1, 28, 28] to class scores [batch, 10]."""
    return nn.Sequential(
        OrderedDict(
            conv1=nn.Conv2d(1, 6, 5),
            relu1=nn.ReLU(),
            pool1=nn.MaxPool2d(2),
            conv2=nn.Conv2d(6, 16, 5),
            relu2=nn.ReLU(),
            pool2=nn.MaxPool2d(2),
            flat=nn.Flatten(),
            fc1=nn.Linear(256, 88),
            relu3=nn.ReLU(),
            fc2=nn.Linear(88, 72),
            relu4=nn.ReLU(),
            fc3=nn.Linear(72, 10),
        )
    )
