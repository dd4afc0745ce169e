"""The King James Bible as a sequence of characters, to be predicted one after the other."""

import re
import subprocess

import numpy as np
import torch
import torch.nn.functional as F

from .error import WorkloadError

LENGTH = 64  # characters that a model sees at once
HELD_OUT = 0.1  # share of the text, its end, that is not trained on
EVALUATED = 512  # sequences of the held-out part that `evaluate` predicts
SYMBOLS = "\n !'(),-.:;?ABCDEFGHIJKLMNOPQRSTUVWYZabcdefghijklmnopqrstuvwxyz"  # of the whole text, which has no X
REFERENCE = re.compile(r"^[1-3]?[A-Za-z]+\d+:\d+ ", re.MULTILINE)  # like "1Sa2:3 " before each verse


class Text:
    """Characters as positions in SYMBOLS: the text's beginning to train on, its end to evaluate on."""

    metric = "nats per character of held-out text (chance: the characters' frequencies alone)"

    def __init__(self, text):
        codes = torch.tensor([SYMBOLS.index(character) for character in text])
        self.train, self.held_out = codes.split([len(codes) - self._kept_back(codes), self._kept_back(codes)])
        if min(len(self.train), len(self.held_out)) <= LENGTH:
            raise WorkloadError(f"the text has {len(codes)} characters; at least {12 * LENGTH} are needed")
        self.chance = unigram_loss(self.train, self.held_out)

    @staticmethod
    def _kept_back(codes):
        return int(HELD_OUT * len(codes))

    def batches(self, ranks, batch, seed):
        """Yield, step by step, (characters, the characters that follow each), both [ranks, batch, LENGTH].

        Every sequence begins at a random place of the training part.
        """
        generator = torch.Generator().manual_seed(seed)
        while True:
            starts = torch.randint(len(self.train) - LENGTH, (ranks, batch, 1), generator=generator)
            places = starts + torch.arange(LENGTH)
            yield self.train[places], self.train[places + 1]

    def evaluate(self, model):
        """Mean loss in nats per character, over sequences that are spread evenly over the held-out part."""
        starts = torch.linspace(0, len(self.held_out) - LENGTH - 1, EVALUATED, dtype=torch.float64).long()
        places = starts[:, None] + torch.arange(LENGTH)
        with torch.no_grad():
            losses = [
                F.cross_entropy(model(self.held_out[p]).flatten(0, 1), self.held_out[p + 1].flatten()).item()
                for p in places.split(64)
            ]
        return float(np.mean(losses))


def unigram_loss(train, held_out):
    """Nats per character of `held_out` for a model that knows the frequencies of `train` (add-one) alone."""
    counts = torch.bincount(train, minlength=len(SYMBOLS)).double() + 1
    return float(-(counts / counts.sum()).log()[held_out].mean())


def load():
    """Text of the whole Bible, from Genesis 1:1 to Revelation 22:21, one verse a line."""
    return Text(verses("Gen1:1-Rev22:21"))


def verses(passage):
    """The verses of a passage, one a line, without their references."""
    printed = subprocess.run(["bible", "-f", passage], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if printed.returncode or not printed.stdout:
        raise WorkloadError(f"bible -f {passage} printed nothing: {printed.stderr.strip()}")
    return REFERENCE.sub("", printed.stdout)
