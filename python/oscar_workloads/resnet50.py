"""ResNet-50 (He et al., CVPR 2016) as torchvision has it, for 1,000 classes: 25,557,032 parameters."""

from torchvision.models import resnet50

from .large_images import SIDE

MODEL = (
    f"ResNet-50 of torchvision for images of {SIDE} x {SIDE} pixels; 1,000 classes, of which the data use 10; "
    "cross-entropy loss"
)


def make():
    """Images [batch, 3, SIDE, SIDE] to class scores [batch, 1000]."""
    return resnet50()
