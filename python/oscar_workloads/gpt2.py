"""GPT-2 small: Radford et al., 2019, section 2.3; 124,439,808 parameters."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from .byte_pairs import LENGTH, VOCABULARY

WIDTH, HEADS, BLOCKS, POSITIONS, DROPOUT = 768, 12, 12, 1024, 0.1
MODEL = (
    f"GPT-2 small: {VOCABULARY} byte pairs, {POSITIONS} learned positions of which the first {LENGTH} are used, "
    f"{BLOCKS} pre-LN blocks of width {WIDTH} with {HEADS} heads of causal attention and a GELU MLP of {4 * WIDTH}, "
    f"dropout {DROPOUT}, output tied to the embedding; cross-entropy loss"
)


class Gpt2(nn.Module):
    def __init__(self):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(POSITIONS, WIDTH)
        self.drop = nn.Dropout(DROPOUT)
        self.h = nn.ModuleList(
            nn.TransformerEncoderLayer(
                WIDTH, HEADS, 4 * WIDTH, DROPOUT, activation=F.gelu, batch_first=True, norm_first=True
            )
            for _ in range(BLOCKS)
        )
        self.ln_f = nn.LayerNorm(WIDTH)
        self.register_buffer("later", torch.ones(LENGTH, LENGTH, dtype=torch.bool).triu(1), persistent=False)
        for name, parameter in self.named_parameters():
            if parameter.dim() == 2:
                into_residual = name.endswith(("out_proj.weight", "linear2.weight"))
                nn.init.normal_(parameter, std=0.02 / math.sqrt(2 * BLOCKS) if into_residual else 0.02)

    def forward(self, tokens):
        length = tokens.shape[1]
        x = self.drop(self.wte(tokens) + self.wpe(torch.arange(length)))
        for block in self.h:
            x = block(x, self.later[:length, :length])
        return self.ln_f(x) @ self.wte.weight.t()


def make():
    """Tokens [batch, length], length up to LENGTH, to scores of the next one [batch, length, VOCABULARY]."""
    return Gpt2()
