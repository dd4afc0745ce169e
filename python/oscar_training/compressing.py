"""A lossy compressor that runs on the GPU and exchanges its messages by collectives."""

from dataclasses import dataclass, field

import numpy as np
import oscar_sim

from . import gpu


@dataclass
class Outcome:
    """What a method made of one step."""

    mean: np.ndarray  #: fp32, one value per parameter
    compression: float  #: seconds on the GPU
    communication: float  #: seconds on the network
    payload: int  #: bytes that the busiest rank had to say
    floats: int = 0  #: values among them, the figure of papers
    factors: list[float] = field(default_factory=list)  #: of each tensor, as a controller chose; none without one
    gains: dict[float, float] = field(default_factory=dict)  #: of the factors that it tried


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

    def compress(self, gradients, tensors):
        """The oscar_sim.Step of these gradients, without a clock."""
        return self._compressor.step(gradients, tensors)

    def step(self, gradients, tensors):
        step = self.compress(gradients, tensors)
        compression = gpu.seconds(step.operations, self._settings.gpu)
        communication = self._communication(step.exchanges, gradients)
        self._compressor.completed(self._settings.compute.backward, compression, communication)
        return Outcome(
            step.mean,
            compression,
            communication,
            sum(max(e.payload, default=0) for e in step.exchanges),
            sum(e.floats for e in step.exchanges),
            step.factors,
            step.gains,
        )

    def end_epoch(self, learning_rate):
        self._compressor.end_epoch(learning_rate)

    def _communication(self, exchanges, gradients):
        passes = self._settings.compute.forward + self._settings.compute.backward
        now = [e for e in exchanges if not e.overlapped]
        if self._sharded:
            now.append(Parameters(-(-4 * len(gradients[0]) // len(gradients))))
        return self._network.seconds(now) + max(
            0.0, self._network.seconds([e for e in exchanges if e.overlapped]) - passes
        )


@dataclass
class Parameters:
    """The all-gather of updated shards."""

    padded: int  #: bytes of a shard
    carrier: str = "all_gather"
