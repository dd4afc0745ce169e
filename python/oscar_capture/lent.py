"""Gradients that threads of the backend work on."""

import time
import weakref


class Lent:
    """Tensors that were given to asynchronous collectives, until the backend's threads have let go of them.

    gloo's threads do so some time after the collective is complete. They then need Python's lock, while PyTorch 1.13
    waits for these threads, with the lock, when a DistributedDataParallel is the last to hold its process group:
    both would wait for ever.
    """

    def __init__(self):
        self._held = set()

    def lend(self, tensor):
        """The same values in the same memory as a tensor that only its borrower keeps."""
        alias = tensor.detach()
        self._held.add(weakref.ref(alias, self._held.discard))
        return alias

    def wait(self, seconds):
        """Return when all are free, or after `seconds`."""
        end = time.monotonic() + seconds
        while self._held and time.monotonic() < end:
            time.sleep(0.001)
