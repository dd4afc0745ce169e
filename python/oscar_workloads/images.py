"""Fashion-MNIST: 60,000 training and 10,000 test images of 10 kinds of clothing (Xiao et al., 2017)."""

import gzip

import numpy as np
import torch

from .error import WorkloadError
from .sources import FASHION_MNIST_FOLDER

CLASSES = 10
MEAN, DEVIATION = 0.286, 0.353  # of the training images' pixels, from 0 to 1


class Images:
    """Training and test examples: images [count, 1, 28, 28] and labels [count], both as tensors."""

    metric = "test accuracy"
    chance = 1 / CLASSES

    def __init__(self, train, test):
        self.train, self._test = train, test

    def batches(self, ranks, batch, seed):
        """Yield, step by step, (images [ranks, batch, 1, 28, 28], labels [ranks, batch]).

        Every epoch is a new permutation of all images; what is left of it and does not fill a step is
        dropped. No image is on two workers in an epoch.
        """
        images, labels = self.train
        count = len(labels)
        if count < ranks * batch:
            raise WorkloadError(
                f"one step needs {ranks * batch} images, the data has {count}; "
                "choose fewer workers or a smaller batch"
            )
        generator = torch.Generator().manual_seed(seed)
        while True:
            order = torch.randperm(count, generator=generator)
            for chosen in order[: count - count % (ranks * batch)].view(-1, ranks, batch):
                yield images[chosen], labels[chosen]

    def evaluate(self, model):
        """Share of the test images, 0 to 1, that the model puts into the right class."""
        images, labels = self._test
        with torch.no_grad():
            hits = sum((model(x).argmax(1) == y).sum().item() for x, y in zip(images.split(1000), labels.split(1000)))
        return hits / len(labels)


def load(folder=FASHION_MNIST_FOLDER):
    """Images from the four files of the data set."""
    return Images(read_part(folder, "train"), read_part(folder, "t10k"))


def read_part(folder, part):
    """Images [count, 1, 28, 28], about zero mean and unit deviation, and labels [count]."""
    images = read_idx(folder / f"{part}-images-idx3-ubyte.gz").astype(np.float32) / 255
    labels = read_idx(folder / f"{part}-labels-idx1-ubyte.gz").astype(np.int64)
    return torch.from_numpy((images - MEAN) / DEVIATION).unsqueeze(1), torch.from_numpy(labels)


def read_idx(path):
    """Read a gzipped IDX file of bytes; the header gives the array's shape."""
    raw = gzip.decompress(path.read_bytes())
    shape = np.frombuffer(raw, ">i4", count=raw[3], offset=4)
    return np.frombuffer(raw, np.uint8, offset=4 + 4 * raw[3]).reshape(shape)
