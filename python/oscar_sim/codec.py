"""Lossless codes of integers (docs/codecs.md)."""

from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from oscar_sim import _core
from oscar_sim._arguments import whole
from oscar_sim._arrays import integers
from oscar_sim._config import make

_MOST, _LANES = 2**26, 4096


class Codec:
    """A kind of the family `codec`, such as `Codec("asc", adapt="symbol", lanes=16)`.

    `lanes`, `lane_values` and `min_lane_values` are the framing of the engine, which both ends must share. Symbols are
    int32 arrays of one dimension; other arrays and lists of whole numbers, and tensors, are converted. ConfigError for
    a kind or parameter that does not exist or is out of range.
    """

    def __init__(
        self,
        kind: str = "asc",
        *,
        lanes: int = 64,
        lane_values: int = 1024,
        min_lane_values: int = 64,
        **parameters: Any,
    ) -> None:
        framing = {"lanes": lanes, "lane_values": lane_values, "min_lane_values": min_lane_values}
        self._core = make(
            _core.Codec,
            kind,
            parameters,
            *(whole(value, name, 1, _LANES if name == "lanes" else _MOST) for name, value in framing.items()),
        )
        self._text = ", ".join([repr(kind), *(f"{name}={value!r}" for name, value in (framing | parameters).items())])

    def __repr__(self) -> str:
        return f"Codec({self._text})"

    def learn(self, symbols: npt.ArrayLike, width: int) -> Optional[_core.Table]:
        """The table for these symbols; None where the codec has none or there are no symbols."""
        return self._core.learn(integers(symbols, "symbols"), _width(width))

    def encode(
        self,
        symbols: npt.ArrayLike,
        width: int,
        table: Optional[_core.Table] = None,
        at: _core.Context = _core.Context(),
    ) -> bytes:
        """A message, as it would travel. Without a table a codec that needs one sends it inline.

        `width` is in bits, 1 .. 32; below 32, |symbol| < 2^(width-1). ValueError for symbols beyond it.
        """
        return self._core.encode(integers(symbols, "symbols"), _width(width), table, at)

    def decode(
        self,
        message: bytes,
        size: int,
        width: int,
        table: Optional[_core.Table] = None,
        at: _core.Context = _core.Context(),
    ) -> npt.NDArray[np.int32]:
        """The `size` symbols of a message. CorruptStream for bytes that hold none such; TableMismatch where they were
        made with another table or in another iteration."""
        if not isinstance(message, (bytes, bytearray, memoryview)):
            raise TypeError(f"message: bytes are wanted, as encode() returns them, not {type(message).__name__}")
        return self._core.decode(bytes(message), whole(size, "size", 0, 2**32 - 1), _width(width), table, at)


def _width(width: int) -> int:
    return whole(width, "width", 1, 32)
