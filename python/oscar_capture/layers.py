"""The layer table: names, shapes and memory layout of a model's tensors."""

import math
from typing import NamedTuple, Tuple

from .error import CaptureError


class Layer(NamedTuple):
    """One tensor of the model; `shape` in elements."""
    name: str
    shape: Tuple[int, ...]

    @property
    def size(self):
        """Number of elements."""
        return math.prod(self.shape)


def trained(module, ignored=()):
    """The tensors that get a gradient: two lists in parameter order, tensors and their Layers."""
    chosen = [(name, tensor) for name, tensor in module.named_parameters()
              if tensor.requires_grad and tensor.numel() and name not in ignored]
    if not chosen:
        raise CaptureError("the model has no parameter that requires a gradient")
    return [tensor for _, tensor in chosen], [Layer(name, tuple(tensor.shape)) for name, tensor in chosen]


def is_dense(tensor):
    """Whether the elements fill one piece of memory, in whatever order of the dimensions."""
    step = 1
    for stride, length in sorted(zip(tensor.stride(), tensor.shape)):
        if length != 1:
            if stride != step:
                return False
            step *= length
    return True


def in_c_order(flat, tensor):
    """A gradient's elements [size] as DDP stores them in a bucket, brought into C order.

    DDP lays out the gradient of a dense tensor in the order of the tensor's memory, which is not C
    order in channels_last, and any other in C order.
    """
    return flat.as_strided(tensor.shape, tensor.stride()).reshape(-1) if is_dense(tensor) else flat
