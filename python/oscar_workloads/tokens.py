"""A text as a sequence of whole numbers, the tokens of a large vocabulary, to be predicted one after the other.

Characters (text.py) have a class of their own: its source is part of what the records of trainings were made of.
"""

import numpy as np
import torch
import torch.nn.functional as F

from .error import WorkloadError

HELD_OUT = 0.1  # share of the text, its end, that is not trained on
EVALUATED = 64  # sequences of the held-out part that `evaluate` predicts


class Tokens:
    """The text's beginning to train on, its end to evaluate on.

    `codes`: 1-D tensor of tokens, 0 to `vocabulary` - 1. `length`: tokens that a model sees at once.
    """

    metric = "nats per token of held-out text (chance: the tokens' frequencies alone)"

    def __init__(self, codes, vocabulary, length):
        self.vocabulary, self.length = vocabulary, length
        kept_back = int(HELD_OUT * len(codes))
        self.train, self.held_out = codes.split([len(codes) - kept_back, kept_back])
        if min(len(self.train), len(self.held_out)) <= length:
            raise WorkloadError(f"the text has {len(codes)} tokens; at least {int(length / HELD_OUT) + 20} are needed")
        self.chance = self._loss_of_frequencies()

    def batches(self, ranks, batch, seed):
        """Yield, step by step, (tokens, the tokens that follow each), both [ranks, batch, length].

        Every sequence begins at a random place of the training part.
        """
        generator = torch.Generator().manual_seed(seed)
        while True:
            starts = torch.randint(len(self.train) - self.length, (ranks, batch, 1), generator=generator)
            places = starts + torch.arange(self.length)
            yield self.train[places], self.train[places + 1]

    def evaluate(self, model):
        """Mean loss in nats per token, over sequences that are spread evenly over the held-out part."""
        starts = torch.linspace(0, len(self.held_out) - self.length - 1, EVALUATED, dtype=torch.float64).long()
        places = starts[:, None] + torch.arange(self.length)
        with torch.no_grad():
            losses = [
                F.cross_entropy(model(self.held_out[p]).flatten(0, 1), self.held_out[p + 1].flatten()).item()
                for p in places.split(8)
            ]
        return float(np.mean(losses))

    def _loss_of_frequencies(self):
        """Nats per token of the held-out part for a model that knows the training part's frequencies (add-one)
        alone."""
        counts = torch.bincount(self.train, minlength=self.vocabulary).double() + 1
        return float(-(counts / counts.sum()).log()[self.held_out].mean())
