"""The King James Bible as words and punctuation, the 9,999 most frequent of them and one sign for all others."""

import re
from collections import Counter

import torch

from .text import verses
from .tokens import Tokens

VOCABULARY, LENGTH = 10000, 35  # as in the language model of Zaremba et al., 2014
UNKNOWN = 0
WORD = re.compile(r"\w+|[^\w\s]|\n")


def load():
    """Tokens of the whole Bible."""
    return Tokens(numbered(WORD.findall(verses("Gen1:1-Rev22:21"))), VOCABULARY, LENGTH)


def numbered(words):
    """Numbers by falling frequency, from 1 on; UNKNOWN for words beyond the vocabulary."""
    known = {word: number for number, (word, _) in enumerate(Counter(words).most_common(VOCABULARY - 1), start=1)}
    return torch.tensor([known.get(word, UNKNOWN) for word in words])
