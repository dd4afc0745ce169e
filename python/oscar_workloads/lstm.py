"""A two-layer LSTM language model over characters."""

from torch import nn

from .text import SYMBOLS

EMBEDDING, HIDDEN, LAYERS = 24, 60, 2
MODEL = (
    f"LSTM language model over {len(SYMBOLS)} characters: embedding {EMBEDDING}, {LAYERS} layers of {HIDDEN} "
    "units, linear, softmax; state zero at the start of each sequence; cross-entropy loss"
)


class LstmLanguageModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(len(SYMBOLS), EMBEDDING)
        self.lstm = nn.LSTM(EMBEDDING, HIDDEN, LAYERS, batch_first=True)
        self.output = nn.Linear(HIDDEN, len(SYMBOLS))

    def forward(self, characters):
        return self.output(self.lstm(self.embedding(characters))[0])


def make():
    """Characters [batch, length] to scores of the next character [batch, length, symbols]."""
    return LstmLanguageModel()
