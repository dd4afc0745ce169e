"""Lossy compressors of the gradients of all ranks."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from oscar_sim import _core
from oscar_sim._arguments import RANKS, tiles, whole
from oscar_sim._arrays import floats
from oscar_sim._config import make


@dataclass(frozen=True)
class Step:
    """What a step gave."""

    mean: npt.NDArray[np.float32]  #: as every rank decodes it
    sent: list[npt.NDArray[np.float32]]  #: per rank, what its message says of its own input
    exchanges: list[_core.Exchange]  #: collectives with their bytes per rank, in the order of their issue
    operations: dict[str, int]  #: of the busiest rank, of which a cost model makes time
    factors: list[float]  #: per tensor, as a controller chose; empty without one
    gains: dict[float, float]  #: of the factors that a controller tried, the share of the energy that each keeps


class Compressor:
    """A kind of the family `compressor` for `ranks` ranks, with the state of all of them.

    With `feedback` what a rank did not send is added to its next gradient; ValueError where the kind has its own, or
    sends what is no part of the gradient. The same gradients, seed and number of steps give the same result.
    """

    def __init__(self, kind: str, *, ranks: int, seed: int = 1, feedback: bool = False, **parameters: Any) -> None:
        self._core = make(
            _core.Compressor,
            kind,
            parameters,
            whole(ranks, "ranks", 1, RANKS),
            whole(seed, "seed", 0, 2**64 - 1),
            bool(feedback),
        )
        said = {"ranks": ranks, "seed": seed, "feedback": feedback} | parameters
        self._text = ", ".join([repr(kind), *(f"{name}={value!r}" for name, value in said.items())])

    def __repr__(self) -> str:
        return f"Compressor({self._text})"

    def step(
        self, gradients: Iterable[npt.ArrayLike], tensors: Optional[Sequence[tuple[int, int, int]]] = None
    ) -> Step:
        """Compresses, exchanges and decodes: one gradient a rank, all equally long: float32 arrays of one dimension;
        other arrays, lists and tensors of real numbers are converted, float64 rounded.

        `tensors`: (begin, end, rows) in elements, which tile the gradient; rows of the matrix view, 0 for a vector.
        ValueError for values that are not finite (naming rank and element), and tensors that do not tile.
        """
        if not isinstance(gradients, Iterable):
            raise TypeError(f"gradients: one array a rank is wanted, not {type(gradients).__name__}")
        arrays = [floats(gradient, f"rank {rank}") for rank, gradient in enumerate(gradients)]
        core = self._core.step(arrays, tiles(tensors, "begin", "end", "rows"))
        return Step(core.take_mean(), core.take_sent(), core.exchanges, core.operations, core.factors, core.gains)

    def completed(self, backward: float, compression: float, communication: float) -> None:
        """How long the last step took, in seconds: for controllers that steer by time."""
        self._core.completed(backward, compression, communication)

    def end_epoch(self, learning_rate: float) -> None:
        """That an epoch has ended, and with which learning rate the next begins: for schedules."""
        self._core.end_epoch(learning_rate)

    def reset(self) -> None:
        """Forgets all steps."""
        self._core.reset()

    @property
    def takes_error_feedback(self) -> bool:
        """Whether dense error feedback around it is sound."""
        return self._core.takes_error_feedback
