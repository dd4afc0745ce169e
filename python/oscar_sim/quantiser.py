"""Fixed-point codes with a scale that all ranks share (docs/model.md 2)."""

from collections.abc import Sequence
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from oscar_sim import _core
from oscar_sim._arguments import RANKS, tiles, whole
from oscar_sim._arrays import floats, integers
from oscar_sim._config import make

Tensors = Optional[Sequence[tuple[int, int]]]
_PARTS = ("begin", "end")


def widened_bits(bits: int, ranks: int) -> int:
    """The width that sums of the codes of `ranks` ranks need, in bits."""
    return _core.widened_bits(whole(bits, "bits", 2, 16), whole(ranks, "ranks", 1, RANKS))


class Quantiser:
    """A kind of the family `quantiser`, such as `Quantiser("percentile", bits=8, percentile=99.9)`.

    Values are float32 arrays of one dimension; other arrays, lists and tensors of real numbers are converted, float64
    rounded. NaN and infinity are a ValueError that names the element. `tensors` are pairs (begin, end) that tile the
    values; without them all values are one tensor. ConfigError for a kind or parameter that does not exist or is out of
    range.
    """

    def __init__(self, kind: str = "per_tensor", **parameters: Any) -> None:
        self._core = make(_core.Quantiser, kind, parameters)
        self._text = ", ".join(
            [repr(kind), *(f"{name}={value!r}" for name, value in ({"bits": self._core.bits} | parameters).items())]
        )

    def __repr__(self) -> str:
        return f"Quantiser({self._text})"

    @property
    def bits(self) -> int:
        """Width of a code; codes are -(2^(bits-1)-1) .. 2^(bits-1)-1."""
        return self._core.bits

    def peaks(self, values: npt.ArrayLike, tensors: Tensors = None) -> npt.NDArray[np.float32]:
        """The magnitude per scale that maps to the largest code. All ranks must use the largest of theirs. ValueError:
        no values."""
        array = floats(values, "values")
        if array.size == 0:
            raise ValueError("values: there are none, and so no magnitude; give one value or more")
        return self._core.peaks(array, tiles(tensors, *_PARTS))

    def quantise(
        self, values: npt.ArrayLike, peaks: npt.ArrayLike, tensors: Tensors = None, key: int = 0
    ) -> tuple[npt.NDArray[np.int32], int]:
        """Codes, and how many of them saturated. `key` draws where rounding is stochastic:
        another for each rank and step."""
        return self._core.quantise(
            floats(values, "values"), floats(peaks, "peaks"), tiles(tensors, *_PARTS), whole(key, "key", 0, 2**64 - 1)
        )

    def dequantise(self, sums: npt.ArrayLike, peaks: npt.ArrayLike, tensors: Tensors = None) -> npt.NDArray[np.float32]:
        """Values of codes or of sums of codes."""
        return self._core.dequantise(integers(sums, "sums"), floats(peaks, "peaks"), tiles(tensors, *_PARTS))
