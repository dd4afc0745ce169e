"""VGG-16 (Simonyan & Zisserman, ICLR 2015) as torchvision has it, for 1,000 classes: 138,357,544 parameters."""

from torchvision.models import vgg16

from .large_images import SIDE

MODEL = (
    f"VGG-16 of torchvision for images of {SIDE} x {SIDE} pixels, dropout 0.5; 1,000 classes, of which the data use "
    "10; its pooling to 7 x 7 repeats the 2 x 2 features that these images give; cross-entropy loss"
)


def make():
    """Images [batch, 3, SIDE, SIDE] to class scores [batch, 1000]."""
    return vgg16()
