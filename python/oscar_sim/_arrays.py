"""What users hold, as the arrays that the C++ side reads: lists, tensors, other number types, strides."""

from typing import Any

import numpy as np
import numpy.typing as npt


def floats(values: Any, what: str) -> npt.NDArray[np.float32]:
    """`values` as fp32, one dimension, without gaps: the very array where it is so already, else a copy,
    rounded to fp32.

    TypeError: no real numbers. ValueError: another number of dimensions.
    """
    array = _row(values, what, np.float32, "real numbers are wanted, not {}")
    with np.errstate(over="ignore"):  # what becomes infinite is refused by name later
        return np.ascontiguousarray(array, np.float32)


def integers(values: Any, what: str) -> npt.NDArray[np.int32]:
    """`values` as int32, likewise. TypeError: no whole numbers. ValueError: beyond 32 bits,
    another number of dimensions."""
    array = _row(values, what, np.int32, "whole numbers are wanted, not {}; a Quantiser makes them of gradients")
    converted = np.ascontiguousarray(array, np.int32)
    if converted is not array and len(wrong := np.flatnonzero(converted != array)):
        raise ValueError(f"{what}: element {wrong[0]} is {array[wrong[0]]}, which does not fit 32 bits")
    return converted


def numbers(values: Any, what: str, target: type, problem: str = "real numbers are wanted, not {}") -> npt.NDArray[Any]:
    """An array of any shape, of numbers that are `target`'s or narrower in kind. TypeError, with `problem`: others."""
    try:
        array = np.asarray(_without_torch(values))
    except (TypeError, ValueError, RuntimeError) as error:
        raise TypeError(
            f"{what}: an array of numbers is wanted, not {type(values).__name__} ({str(error).splitlines()[0]})"
        ) from None
    if not np.can_cast(array.dtype, target, "same_kind"):
        raise TypeError(f"{what}: {problem.format(type(values).__name__ if array.ndim == 0 else array.dtype)}")
    return array


def _row(values: Any, what: str, target: type, problem: str) -> npt.NDArray[Any]:
    """An array of one dimension."""
    array = numbers(values, what, target, problem)
    if array.ndim != 1:
        raise ValueError(f"{what}: one dimension is wanted, not {array.ndim} (shape {array.shape}); write .reshape(-1)")
    return array


def _without_torch(values: Any) -> Any:
    """A tensor of PyTorch as one of NumPy's arrays, from any device; anything else as it is."""
    if not (hasattr(values, "detach") and hasattr(values, "cpu")):
        return values
    tensor = values.detach().cpu()
    return tensor.float().numpy() if str(tensor.dtype) == "torch.bfloat16" else tensor.numpy()  # NumPy has no bfloat16
