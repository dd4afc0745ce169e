"""A GPT-style language model over characters: pre-LN transformer (Radford et al., 2019, section 2.3)."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from .text import LENGTH, SYMBOLS

WIDTH, HEADS, BLOCKS = 44, 4, 2
MODEL = (
    f"GPT-style language model over {len(SYMBOLS)} characters: learned positions, {BLOCKS} pre-LN blocks of "
    f"width {WIDTH} with {HEADS} heads of causal attention and a GELU MLP of {4 * WIDTH}, output not tied to the "
    "embedding; cross-entropy loss"
)


class CausalAttention(nn.Module):
    """Multi-head self-attention in which each position sees itself and what comes before it."""

    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.output = nn.Linear(WIDTH, WIDTH)

    def forward(self, x):
        batch, length, _ = x.shape
        heads = self.qkv(x).view(batch, length, 3, HEADS, WIDTH // HEADS)
        query, key, value = heads.permute(2, 0, 3, 1, 4)  # each [batch, heads, length, width of a head]
        scores = query @ key.transpose(-2, -1) / math.sqrt(WIDTH // HEADS)
        later = torch.ones(length, length, dtype=torch.bool).triu(1)
        mixed = scores.masked_fill(later, -math.inf).softmax(-1) @ value
        return self.output(mixed.transpose(1, 2).reshape(batch, length, WIDTH))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.attention = nn.LayerNorm(WIDTH), CausalAttention()
        self.norm2 = nn.LayerNorm(WIDTH)
        self.expand, self.contract = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.contract(F.gelu(self.expand(self.norm2(x))))


class Gpt(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(len(SYMBOLS), WIDTH)
        self.position = nn.Embedding(LENGTH, WIDTH)
        self.blocks = nn.Sequential(*(Block() for _ in range(BLOCKS)))
        self.norm = nn.LayerNorm(WIDTH)
        self.output = nn.Linear(WIDTH, len(SYMBOLS), bias=False)
        for module in self.modules():
            if isinstance(module, (nn.Linear, nn.Embedding)):
                nn.init.normal_(module.weight, std=0.02)
            if isinstance(module, nn.Linear) and module.bias is not None:
                nn.init.zeros_(module.bias)

    def forward(self, characters):
        x = self.embedding(characters) + self.position(torch.arange(characters.shape[1]))
        return self.output(self.norm(self.blocks(x)))


def make():
    """Characters [batch, length], length up to LENGTH, to scores of the next one [batch, length, symbols]."""
    return Gpt()
