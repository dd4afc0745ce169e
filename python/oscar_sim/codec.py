"""Lossless codes of integers (docs/model.md 3)."""

from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from oscar_sim import _core
from oscar_sim._kinds import as_json


class Codec:
    """A kind of the family `codec`, such as `Codec("asc", adapt="symbol", lanes=16)`.

    `lanes`, `lane_values` and `min_lane_values` are the framing of the engine, which both ends must share.
    """

    def __init__(self, kind: str = "asc", *, lanes: int = 64, lane_values: int = 1024, min_lane_values: int = 64,
                 **parameters: Any) -> None:
        self._core = _core.Codec(as_json(kind, parameters), lanes, lane_values, min_lane_values)

    def learn(self, symbols: npt.NDArray[np.int32], width: int) -> Optional[_core.Table]:
        """The table for these symbols; None where the codec has none or there are no symbols."""
        return self._core.learn(symbols, width)

    def encode(self, symbols: npt.NDArray[np.int32], width: int, table: Optional[_core.Table] = None,
               at: _core.Context = _core.Context()) -> bytes:
        """A message, as it would travel. Without a table a codec that needs one sends it inline.

        `width` is in bits, 1 .. 32; below 32, |symbol| < 2^(width-1). ValueError for symbols beyond it.
        """
        return self._core.encode(symbols, width, table, at)

    def decode(self, message: bytes, size: int, width: int, table: Optional[_core.Table] = None,
               at: _core.Context = _core.Context()) -> npt.NDArray[np.int32]:
        """The `size` symbols of a message. CorruptStream for bytes that hold none such; TableMismatch where they were
        made with another table or in another iteration."""
        return self._core.decode(message, size, width, table, at)
