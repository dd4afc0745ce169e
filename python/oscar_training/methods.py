"""What makes the mean gradient of those of the workers, and how long that takes."""

from dataclasses import dataclass, field

import numpy as np
import oscar_sim

from . import gpu
from .error import TrainingError


@dataclass
class Outcome:
    """What a method made of one step."""

    mean: np.ndarray       #: fp32, one value per parameter
    compression: float     #: seconds on the GPU
    communication: float   #: seconds on the network
    payload: int           #: bytes that the busiest rank had to say
    floats: int = 0        #: values among them, the figure of papers
    factors: list[float] = field(default_factory=list)   #: of each tensor, as a controller chose; none without one
    gains: dict[float, float] = field(default_factory=dict)   #: of the factors that it tried


class Compressing:
    """A kind of the family `compressor`, with its collectives on the network and its operations on the GPU.

    What only the next step needs goes on while that computes. `sharded: true` is for kinds that leave each shard with
    its owner, as FSDP does: the new parameters are then gathered, dense, as part of the step.
    """

    def __init__(self, method, settings, network, seed):
        parameters = dict(method.parameters)
        self._sharded = parameters.pop("sharded", False)
        self._compressor = oscar_sim.Compressor(method.kind, ranks=settings.ranks, seed=seed, **parameters)
        self._settings, self._network = settings, network

    def step(self, gradients, tensors):
        step = self._compressor.step(gradients, tensors)
        compression = gpu.seconds(step.operations, self._settings.gpu)
        communication = self._communication(step.exchanges, gradients)
        self._compressor.completed(self._settings.compute.backward, compression, communication)
        return Outcome(step.mean, compression, communication, sum(max(e.payload, default=0) for e in step.exchanges),
                       sum(e.floats for e in step.exchanges), step.factors, step.gains)

    def end_epoch(self, learning_rate):
        self._compressor.end_epoch(learning_rate)

    def _communication(self, exchanges, gradients):
        passes = self._settings.compute.forward + self._settings.compute.backward
        now = [e for e in exchanges if not e.overlapped]
        if self._sharded:
            now.append(Parameters(-(-4 * len(gradients[0]) // len(gradients))))
        return self._network.seconds(now) + max(0.0, self._network.seconds([e for e in exchanges if e.overlapped]) - passes)


@dataclass
class Parameters:
    """The all-gather of updated shards."""

    padded: int   #: bytes of a shard
    carrier: str = "all_gather"


class OscarHw:
    """Fixed point with a shared scale, coded in the NIC without loss (docs/model.md): the time of an AllReduce of these
    very gradients behind those of the step before, simulated where the coded size may have moved.

    The size is watched by the entropy of a worker's codes, which costs no simulation: the time is simulated anew where
    that has moved by more than 1 %, and every `every` steps. Keys beside `every`: `quantiser`, `codec` (a method of an
    experiment), and what an experiment says of chunks and classes. With the quantiser's `residual` what was rounded or
    clipped is added to the worker's next gradient.
    """

    def __init__(self, method, settings, simulate_gradients):
        self._experiment = {"codec": {"kind": "asc"}, **method.parameters}
        self._every = self._experiment.pop("every", 100)
        self._quantiser = oscar_sim.Quantiser(**self._experiment.setdefault("quantiser", {"kind": "percentile", "bits": 8}))
        self._residuals = self._experiment["quantiser"].get("residual", False)
        self._simulate = simulate_gradients
        self._before = self._left = None   # gradients of the step before, and what they left behind
        self._age, self._time, self._entropy = 0, None, None
        self.simulated, self.worst_error = 0, 0.0   # of times still in use when they were simulated anew

    def step(self, gradients, tensors):
        segments = [(begin, end) for begin, end, _ in tensors]
        if self._residuals and self._left is not None:
            gradients = [g + left for g, left in zip(gradients, self._left)]
        peaks = np.max([self._quantiser.peaks(g, segments) for g in gradients], axis=0)
        codes = [self._quantiser.quantise(g, peaks, segments)[0] for g in gradients]
        if self._residuals:
            self._left = [g - self._quantiser.dequantise(c, peaks, segments) for g, c in zip(gradients, codes)]
        total = self._quantiser.dequantise(np.sum(codes, axis=0, dtype=np.int32), peaks, segments)
        seconds, payload = self._timed(gradients, entropy(codes[0]))
        return Outcome(total / np.float32(len(gradients)), 0.0, seconds, payload)

    def end_epoch(self, learning_rate):
        pass

    def _timed(self, gradients, bits):
        """(seconds, bytes of the busiest rank) of this step; the first counts as the second will."""
        self._age += 1
        before, self._before = self._before or gradients, [np.array(g) for g in gradients]
        moved = self._entropy is None or abs(bits - self._entropy) > 0.01 * self._entropy
        if moved or self._age >= self._every:
            time = self._simulate(before, gradients, self._experiment)
            self.simulated += 1
            if not moved:
                self.worst_error = max(self.worst_error, abs(self._time[0] / time[0] - 1))
            self._time, self._entropy, self._age = time, bits, 0
        return self._time


def check(method, settings):
    """TrainingError where there is no such kind, or a parameter is none of it."""
    try:
        OscarHw(method, settings, None) if method.kind == "oscar_hw" else Compressing(method, settings, None, seed=1)
    except (TypeError, ValueError) as error:
        raise TrainingError(f"methods: {method.name}: {error}") from None


def entropy(codes):
    """Bits per code, of order zero."""
    counts = np.bincount(codes - codes.min())
    shares = counts[counts > 0] / len(codes)
    return float(-(shares * np.log2(shares)).sum())
