"""OSCAR-HW: fixed point that the NIC codes without loss."""

import numpy as np
import oscar_sim

from . import replayed
from .compressing import Outcome


class OscarHw:
    """Fixed point with a shared scale, coded in the NIC without loss (docs/model.md): the time of an AllReduce of the
    codes of this step behind those of the step before, simulated where the coded size may have moved.

    The size is watched by the entropy of a worker's codes, which costs no simulation: the time is simulated anew where
    that has moved by more than 1 %. Of the steps that could take the time of an earlier one, every `every`-th (4) is
    simulated all the same, and the two times are compared. Keys beside `every`: `quantiser`, `codec` (a method of an
    experiment), and an experiment's keys of chunks and classes. With the quantiser's `residual` what was rounded or
    clipped is added to the worker's next gradient. The ranks agree on the scale in every step: `agreement: exact`.
    ValueError for another agreement, or an `every` below 1.
    """

    def __init__(self, method, settings, simulate_codes):
        self._experiment = {"codec": {"kind": "asc"}, **method.parameters}
        self._every = self._experiment.pop("every", 4)
        if not isinstance(self._every, int) or self._every < 1:
            raise ValueError(f"every: a whole number of at least 1 is wanted, not {self._every!r}")
        quantiser = {"agreement": "exact", **self._experiment.pop("quantiser", {})}
        if quantiser["agreement"] != "exact":
            raise ValueError("quantiser: training exchanges the scale in every step; write agreement: exact")
        self._quantiser = oscar_sim.Quantiser(**quantiser)
        self._experiment["quantiser"] = replayed.quantiser_of_sent(
            quantiser.get("kind", "per_tensor"), self._quantiser.bits
        )
        self._residuals = quantiser.get("residual", False)
        self._simulate = simulate_codes
        self._step = 0
        self._before = self._left = None  # what the step before sent, and what it left behind
        self._time, self._entropy, self._alike = None, None, 0
        self.simulated, self.reused, self.sampled, self.worst_error = 0, 0, 0, 0.0

    def step(self, gradients, tensors):
        segments = [(begin, end) for begin, end, _ in tensors]
        if self._residuals and self._left is not None:
            gradients = [g + left for g, left in zip(gradients, self._left)]
        peaks = np.max([self._quantiser.peaks(g, segments) for g in gradients], axis=0)
        draws = (len(gradients) * self._step + rank for rank in range(len(gradients)))
        codes = [self._quantiser.quantise(g, peaks, segments, draw)[0] for g, draw in zip(gradients, draws)]
        sent = [self._quantiser.dequantise(c, peaks, segments) for c in codes]
        if self._residuals:
            self._left = [g - s for g, s in zip(gradients, sent)]
        total = self._quantiser.dequantise(np.sum(codes, axis=0, dtype=np.int32), peaks, segments)
        seconds, payload = self._timed(sent, entropy(codes[0]))
        self._step += 1
        return Outcome(total / np.float32(len(gradients)), 0.0, seconds, payload)

    def end_epoch(self, learning_rate):
        pass

    def _timed(self, sent, bits):
        """(seconds, bytes of the busiest rank) of this step; the first counts as the second will."""
        before, self._before = self._before or sent, sent
        moved = self._entropy is None or abs(bits - self._entropy) > 0.01 * self._entropy
        self._alike += not moved  # steps that could take the time of an earlier one
        if moved or self._alike % self._every == 0:
            time = self._simulate(before, sent, self._experiment)
            self.simulated += 1
            if not moved:
                self.sampled += 1
                self.worst_error = max(self.worst_error, abs(self._time[0] / time[0] - 1))
            self._time, self._entropy = time, bits
        else:
            self.reused += 1
        return self._time


def entropy(codes):
    """Bits per code, of order zero."""
    counts = np.bincount(codes - codes.min())
    shares = counts[counts > 0] / len(codes)
    return float(-(shares * np.log2(shares)).sum())
