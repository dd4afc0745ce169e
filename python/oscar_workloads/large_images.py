"""Fashion-MNIST enlarged to the images that networks for ImageNet take: three equal channels of 64 x 64 pixels."""

import torch.nn.functional as F

from . import images

SIDE, CHANNELS = 64, 3
EVALUATED = 1000  # test images: a large network needs minutes of one core for all 10,000


class LargeImages(images.Images):
    """Images in their own size in memory, and enlarged where they are used."""

    metric = f"test accuracy over {EVALUATED} images"

    def batches(self, ranks, batch, seed):
        """Yield, step by step, (images [ranks, batch, 3, 64, 64], labels [ranks, batch]); see images.Images."""
        for chosen, labels in super().batches(ranks, batch, seed):
            yield enlarged(chosen.flatten(0, 1)).unflatten(0, (ranks, batch)), labels

    def evaluate(self, model):
        """Share of the first test images, 0 to 1, that the model puts into the right class."""
        pictures, labels = (part[:EVALUATED] for part in self._test)
        return images.Images(None, (pictures, labels)).evaluate(lambda x: model(enlarged(x)))


def enlarged(pictures):
    """[count, 1, 28, 28] to [count, 3, 64, 64], bilinear."""
    larger = F.interpolate(pictures, size=(SIDE, SIDE), mode="bilinear", align_corners=False)
    return larger.expand(-1, CHANNELS, -1, -1)


def load():
    """LargeImages from the files of the data set."""
    small = images.load()
    return LargeImages(small.train, small._test)
