"""The ranks of a distributed run, as far as a capture needs them to work together.

They talk over connections of the capture's own, on the hosts (gloo, which PyTorch has beside NCCL; GLOO_SOCKET_IFNAME
names the network interface). These have a time limit of their own, so that no rank waits for another that died or
hangs, and they end with the capture. The ranks need no common file system.
"""

import re
from contextlib import contextmanager
from datetime import timedelta

import numpy as np
import torch
import torch.distributed as dist

from .error import CaptureError

TIMEOUT = 600  # seconds that a rank waits for the others
PIECE_BYTES = 64 << 20  # memory for one piece of all ranks' rows
WORDS = 1000  # bytes of a problem that the other ranks are told


def check_timeout(seconds):
    """CaptureError if `seconds` is no time that a rank can wait for."""
    if not is_timeout(seconds):
        raise CaptureError(f"timeout must be a number of seconds above 0, not {seconds!r}")


def is_timeout(seconds):
    """Whether `seconds` is a number above 0 and at most a year."""
    return isinstance(seconds, (int, float)) and not isinstance(seconds, bool) and 0 < seconds <= 366 * 24 * 3600


class Group:
    """A torch.distributed process group (None: all ranks) and the device of its tensors.

    CaptureError: the others did not make one within `timeout` seconds, by which each later step is limited, too.
    """

    def __init__(self, process_group, device, timeout=TIMEOUT):
        self.process_group, self.device = process_group, device
        self.rank = dist.get_rank(process_group)
        self.size = dist.get_world_size(process_group)
        self.backend = str(dist.get_backend(process_group))
        self._timeout = timeout if is_timeout(timeout) else TIMEOUT  # a wrong one is told once the ranks can talk
        self._connections = None
        with self._all_ranks():
            self._connections = _connect(process_group, self.rank, self.size, timedelta(seconds=self._timeout))

    def agree(self, problem):
        """CaptureError on all ranks if any has a problem (a text), so that none waits for another;
        all are told what it is."""
        flag = torch.tensor([1 if problem else 0], dtype=torch.int32)
        self._all_reduce(flag, dist.ReduceOp.MAX)
        if flag.item():
            first = self._first_of_others(problem)
            raise CaptureError(problem or first)

    def _first_of_others(self, problem):
        """The problem of the first rank that has one, with its number."""
        own = np.zeros(WORDS, np.uint8)
        text = np.frombuffer((problem or "").encode()[:WORDS], np.uint8)
        own[: len(text)] = text
        said = [
            bytes(text.numpy()).rstrip(b"\0").decode(errors="ignore")
            for text in self._all_gather(torch.from_numpy(own))
        ]
        return next(f"rank {rank}: {text}" for rank, text in enumerate(said) if text)

    def sum(self, vector):
        """Sum over the ranks of a float64 array, the same on all."""
        total = torch.from_numpy(np.array(vector, np.float64))
        self._all_reduce(total, dist.ReduceOp.SUM)
        return total.numpy()

    def gather(self, rows, index, elements):
        """Yield (rank, first element, '<f4' piece of that rank's row) on every rank, for all rows.

        `rows`: this rank's RankRows; `index`: which of its rows; `elements`: length of a row.
        """
        length = max(1, PIECE_BYTES // (4 * self.size))
        for start in range(0, elements, length):
            own = rows.read(index, start, min(length, elements - start)).astype(np.float32)
            for rank, piece in enumerate(self._all_gather(torch.from_numpy(own))):
                yield rank, start, piece.numpy().astype("<f4", copy=False)

    def part(self):
        """All ranks leave together, and whether all did:
        one that ends at once could close its connections while another still receives."""
        if self._connections is None:
            return False
        try:
            self._all_reduce(torch.zeros(1, dtype=torch.int32), dist.ReduceOp.MAX)
        except CaptureError:  # whoever is gone had all it needs
            return False
        self.close()
        return True

    def close(self):
        """End the connections. A rank that waits for this one is told so at once."""
        self._connections = None

    def _all_reduce(self, tensor, operation):
        options = dist.AllreduceOptions()
        options.reduceOp = operation
        with self._all_ranks():
            self._connections.allreduce([tensor], options).wait()

    def _all_gather(self, tensor):
        tensors = [torch.empty_like(tensor) for _ in range(self.size)]
        with self._all_ranks():
            self._connections.allgather([tensors], [tensor]).wait()
        return tensors

    @contextmanager
    def _all_ranks(self):
        """Around what all ranks do together. CaptureError in place of gloo's words, if a rank does not take part."""
        try:
            yield
        except RuntimeError as error:
            self.close()
            reason = str(error).strip().splitlines()[-1]
            is_late = re.search("tim(e|ed)[ -]?out", reason, re.IGNORECASE)
            happened = (
                f"has not come within {self._timeout:g} s (set by timeout=SECONDS)"
                if is_late
                else "has ended or failed"
            )
            raise CaptureError(
                f"another rank {happened}: all ranks must make a Capture and call its finish() ({reason})"
            ) from None


def _connect(process_group, rank, size, timeout):
    """A ProcessGroupGloo of the same ranks. RuntimeError after `timeout`, a timedelta."""
    store = dist.distributed_c10d._get_default_store()
    whole = process_group in (None, dist.group.WORLD)
    key = f"oscar_capture/{0 if whole else dist.distributed_c10d.get_global_rank(process_group, 0)}/{size}"
    number = (store.add(f"{key}/ranks", 1) - 1) // size  # of the capture, the same on all ranks
    usual = store.timeout
    store.set_timeout(timeout)
    try:
        return dist.ProcessGroupGloo(dist.PrefixStore(f"{key}/{number}", store), rank, size, timeout=timeout)
    finally:
        store.set_timeout(usual)
