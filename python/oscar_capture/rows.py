"""One rank's own gradients, kept in its own files until the end of the capture."""

from pathlib import Path

import numpy as np

from .folder import scratch_beside


class RankRows:
    """Files of '<f4' [elements], one per recorded iteration, in a hidden folder beside the trace.

    Each rank needs elements * 4 bytes * recorded iterations of disk space there, on its own machine.
    """

    def __init__(self, folder, rank):
        self._scratch = scratch_beside(folder, f"rank{rank}")
        self._count = 0

    def append(self, parts):
        """Store the next iteration: fp32 tensors in CPU memory, whose elements follow one another."""
        with open(self._path(self._count), "wb") as file:
            for part in parts:
                file.write(np.ascontiguousarray(part.numpy(), dtype="<f4").data)
        self._count += 1

    def read(self, index, start, count):
        """`count` elements from element `start` of iteration `index`, as '<f4' [count]."""
        return np.fromfile(self._path(index), "<f4", count, offset=4 * start)

    def discard(self):
        """Remove the files."""
        self._scratch.cleanup()

    def _path(self, index):
        return Path(self._scratch.name) / f"row-{index:05}.f4"
