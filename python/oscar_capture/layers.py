"""The layer table: names, shapes and memory layout of a model's tensors."""

import math
from fnmatch import fnmatchcase
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
    chosen = [
        (name, tensor)
        for name, tensor in module.named_parameters()
        if tensor.requires_grad and tensor.numel() and name not in ignored
    ]
    if not chosen:
        raise CaptureError("the model has no parameter that requires a gradient")
    return [tensor for _, tensor in chosen], [Layer(name, tuple(tensor.shape)) for name, tensor in chosen]


def chosen(layers, globs):
    """Positions of the Layers to record, ascending: all without `globs` (None), else those that one of them matches.

    A glob is a name in which * and ? stand for any characters, like "conv1.*".
    """
    if globs is None:
        return list(range(len(layers)))
    if isinstance(globs, str) or not all(isinstance(glob, str) for glob in globs):
        raise CaptureError(f"layers must be a list of names like ['conv1.*', 'fc.*'], not {globs!r}")
    for glob in globs:
        if not any(fnmatchcase(layer.name, glob) for layer in layers):
            raise CaptureError(f"no layer matches {glob!r}; there are {', '.join(layer.name for layer in layers)}")
    return [i for i, layer in enumerate(layers) if any(fnmatchcase(layer.name, glob) for glob in globs)]


def part_in_words(layers, positions):
    """Which part of the model the layers at `positions` are, or an empty text if they are all of it."""
    if len(positions) == len(layers):
        return ""
    names = ", ".join(layers[a].name if a == b else f"{layers[a].name} to {layers[b].name}" for a, b in runs(positions))
    size = sum(layers[i].size for i in positions)
    return (
        f"part of the model: {len(positions)} of {len(layers)} tensors, {size} of "
        f"{sum(layer.size for layer in layers)} parameters: {names}"
    )


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


def runs(numbers):
    """First and last of each run of ascending whole numbers: 3, 4, 5, 9 gives [3, 5] and [9, 9]."""
    found = []
    for number in numbers:
        if found and found[-1][1] == number - 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return found
