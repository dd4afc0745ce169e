"""The King James Bible in the 50,257 byte pairs of GPT-2, which the npm package gpt-tokenizer ships."""

import json

import torch

from . import npm
from .error import WorkloadError
from .text import verses
from .tokens import Tokens

VOCABULARY, LENGTH = 50257, 128
ENCODE = (
    'const {encode} = require("gpt-tokenizer/cjs/encoding/r50k_base");'
    'process.stdout.write(JSON.stringify(encode(require("fs").readFileSync(0, "utf8"))));'
)


def load():
    """Tokens of the whole Bible, one verse a line."""
    return Tokens(torch.tensor(encoded(verses("Gen1:1-Rev22:21"))), VOCABULARY, LENGTH)


def encoded(text):
    """The byte pairs of `text`, 0 to VOCABULARY - 1."""
    process = npm.run(ENCODE, text)
    if process.returncode:
        raise WorkloadError(f"gpt-tokenizer failed: {process.stderr.strip().splitlines()[-1]}")
    return json.loads(process.stdout)
