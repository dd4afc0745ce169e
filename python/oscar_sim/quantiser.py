"""Fixed-point codes with a scale that all ranks share (docs/model.md 2)."""

from collections.abc import Sequence
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from oscar_sim import _core
from oscar_sim._kinds import as_json

Tensors = Optional[Sequence[tuple[int, int]]]


class Quantiser:
    """A kind of the family `quantiser`, such as `Quantiser("percentile", bits=8, percentile=99.9)`.

    `tensors` are pairs (begin, end) that tile the values; without them all values are one tensor. ConfigError for a
    kind or parameter that does not exist or is out of range.
    """

    def __init__(self, kind: str = "percentile", **parameters: Any) -> None:
        self._core = _core.Quantiser(as_json(kind, parameters))

    @property
    def bits(self) -> int:
        """Width of a code; codes are -(2^(bits-1)-1) .. 2^(bits-1)-1."""
        return self._core.bits

    def peaks(self, values: npt.NDArray[np.float32], tensors: Tensors = None) -> npt.NDArray[np.float32]:
        """The magnitude per scale that maps to the largest code. All ranks must use the largest of theirs."""
        return self._core.peaks(values, tensors)

    def quantise(self, values: npt.NDArray[np.float32], peaks: npt.NDArray[np.float32], tensors: Tensors = None,
                 key: int = 0) -> tuple[npt.NDArray[np.int32], int]:
        """Codes, and how many of them saturated. `key` draws where rounding is stochastic: another for each rank and step."""
        return self._core.quantise(values, peaks, tensors, key)

    def dequantise(self, sums: npt.NDArray[np.int32], peaks: npt.NDArray[np.float32],
                   tensors: Tensors = None) -> npt.NDArray[np.float32]:
        """Values of codes or of sums of codes."""
        return self._core.dequantise(sums, peaks, tensors)
