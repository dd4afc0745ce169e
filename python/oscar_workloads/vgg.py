"""A VGG-style CNN (Simonyan & Zisserman, ICLR 2015): pairs of 3x3 convolutions, pooling, dropout."""

from torch import nn

MODEL = (
    "VGG-style CNN: three times (conv 3x3, ReLU, conv 3x3, ReLU, max-pool 2) with 8, 16 and 32 channels, "
    "fc 288-128, ReLU, dropout 0.5, fc 128-10; cross-entropy loss"
)
CHANNELS = (8, 16, 32)


def stage(channels_in, channels):
    return [
        nn.Conv2d(channels_in, channels, 3, padding=1),
        nn.ReLU(),
        nn.Conv2d(channels, channels, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
    ]


class Vgg(nn.Module):
    def __init__(self):
        super().__init__()
        pairs = zip((1, *CHANNELS), CHANNELS)
        self.features = nn.Sequential(*(layer for pair in pairs for layer in stage(*pair)))
        self.classifier = nn.Sequential(
            nn.Linear(9 * CHANNELS[-1], 128), nn.ReLU(), nn.Dropout(0.5), nn.Linear(128, 10)
        )
        for module in self.features:
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")
                nn.init.zeros_(module.bias)

    def forward(self, images):
        return self.classifier(self.features(images).flatten(1))


def make():
    """Images [batch, 1, 28, 28] to class scores [batch, 10]."""
    return Vgg()
