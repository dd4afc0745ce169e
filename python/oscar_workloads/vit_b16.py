"""ViT-B/16 (Dosovitskiy et al., ICLR 2021) as torchvision has it, for 1,000 classes: 86,429,416 parameters.

With images of 224 x 224 pixels it has 180 positions more, 86,567,656 parameters.
"""

from torchvision.models import vit_b_16

from .large_images import SIDE

MODEL = (
    f"ViT-B/16 of torchvision for images of {SIDE} x {SIDE} pixels; 1,000 classes, of which the data use 10; "
    "cross-entropy loss"
)


def make():
    """Images [batch, 3, SIDE, SIDE] to class scores [batch, 1000]."""
    return vit_b_16(image_size=SIDE)
