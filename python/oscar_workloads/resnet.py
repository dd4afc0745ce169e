"""ResNet-20 for small images: He et al., CVPR 2016, section 4.2, with parameter-free shortcuts (option A)."""

import torch.nn.functional as F
from torch import nn

MODEL = (
    "ResNet-20: conv 3x3 1-16, three stages of three basic blocks with 16, 32 and 64 channels, batch "
    "normalisation, shortcuts without parameters (option A), global average pool, fc 64-10; cross-entropy loss"
)


def conv3x3(channels_in, channels, stride=1):
    return nn.Conv2d(channels_in, channels, 3, stride, padding=1, bias=False)


class BasicBlock(nn.Module):
    """Two 3x3 convolutions beside a shortcut; `stride` 2 halves the image."""

    def __init__(self, channels_in, channels, stride):
        super().__init__()
        self.conv1, self.bn1 = conv3x3(channels_in, channels, stride), nn.BatchNorm2d(channels)
        self.conv2, self.bn2 = conv3x3(channels, channels), nn.BatchNorm2d(channels)
        self.stride, self.added = stride, channels - channels_in

    def forward(self, x):
        y = self.bn2(self.conv2(F.relu(self.bn1(self.conv1(x)))))
        shortcut = x[:, :, :: self.stride, :: self.stride]
        return F.relu(y + F.pad(shortcut, (0, 0, 0, 0, 0, self.added)))  # new channels begin at zero


class ResNet20(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.bn1 = conv3x3(1, 16), nn.BatchNorm2d(16)
        self.layer1 = self._stage(16, 16, 1)
        self.layer2 = self._stage(16, 32, 2)
        self.layer3 = self._stage(32, 64, 2)
        self.fc = nn.Linear(64, 10)
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")

    @staticmethod
    def _stage(channels_in, channels, stride):
        return nn.Sequential(
            BasicBlock(channels_in, channels, stride), *(BasicBlock(channels, channels, 1) for _ in range(2))
        )

    def forward(self, images):
        x = F.relu(self.bn1(self.conv1(images)))
        return self.fc(self.layer3(self.layer2(self.layer1(x))).mean((2, 3)))


def make():
    """Images [batch, 1, 28, 28] to class scores [batch, 10]."""
    return ResNet20()
