"""The large LSTM language model of Zaremba et al., "Recurrent Neural Network Regularization", 2014.

It has 66,034,000 parameters.
"""

from torch import nn

from .words import VOCABULARY

WIDTH, LAYERS, DROPOUT, RANGE = 1500, 2, 0.65, 0.04
MODEL = (
    f"LSTM language model over {VOCABULARY} words: embedding {WIDTH}, {LAYERS} layers of {WIDTH} units, "
    f"dropout {DROPOUT}, softmax; state zero at the start of each sequence; cross-entropy loss"
)


class LargeLstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding, self.drop = nn.Embedding(VOCABULARY, WIDTH), nn.Dropout(DROPOUT)
        self.lstm = nn.LSTM(WIDTH, WIDTH, LAYERS, batch_first=True, dropout=DROPOUT)
        self.output = nn.Linear(WIDTH, VOCABULARY)
        for parameter in self.parameters():
            nn.init.uniform_(parameter, -RANGE, RANGE)

    def forward(self, words):
        return self.output(self.drop(self.lstm(self.drop(self.embedding(words)))[0]))


def make():
    """Words [batch, length] to scores of the next word [batch, length, VOCABULARY]."""
    return LargeLstm()
