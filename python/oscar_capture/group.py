"""The ranks of a distributed run, as far as a capture needs them to work together.

Only all_reduce and all_gather on the model's own device are used, which gloo and NCCL both have,
so the ranks need no common file system.
"""

from contextlib import contextmanager

import numpy as np
import torch
import torch.distributed as dist

from .error import CaptureError

PIECE_BYTES = 64 << 20  # memory for one piece of all ranks' rows
WORDS = 1000  # bytes of a problem that the other ranks are told


class Group:
    """A torch.distributed process group (None: all ranks) and the device of its tensors."""

    def __init__(self, process_group, device):
        self.process_group, self.device = process_group, device
        self.rank = dist.get_rank(process_group)
        self.size = dist.get_world_size(process_group)
        self.backend = str(dist.get_backend(process_group))

    def agree(self, problem):
        """CaptureError on all ranks if any has a problem (a text), so that none waits for another; all are told what it is."""
        flag = torch.tensor([1 if problem else 0], dtype=torch.int32, device=self.device)
        with _all_ranks():
            dist.all_reduce(flag, op=dist.ReduceOp.MAX, group=self.process_group)
        if flag.item():
            first = self._first_of_others(problem)
            raise CaptureError(problem or first)

    def _first_of_others(self, problem):
        """The problem of the first rank that has one, with its number."""
        own = np.zeros(WORDS, np.uint8)
        text = np.frombuffer((problem or "").encode()[:WORDS], np.uint8)
        own[:len(text)] = text
        texts = [torch.empty(WORDS, dtype=torch.uint8, device=self.device) for _ in range(self.size)]
        with _all_ranks():
            dist.all_gather(texts, torch.from_numpy(own).to(self.device), group=self.process_group)
        said = [bytes(text.cpu().numpy()).rstrip(b"\0").decode(errors="ignore") for text in texts]
        return next(f"rank {rank}: {text}" for rank, text in enumerate(said) if text)

    def sum(self, vector):
        """Sum over the ranks of a float64 array, the same on all."""
        total = torch.from_numpy(np.array(vector, np.float64)).to(self.device)
        with _all_ranks():
            dist.all_reduce(total, group=self.process_group)
        return total.cpu().numpy()

    def gather(self, rows, index, elements):
        """Yield (rank, first element, '<f4' piece of that rank's row) on every rank, for all rows.

        `rows`: this rank's RankRows; `index`: which of its rows; `elements`: length of a row.
        """
        length = max(1, PIECE_BYTES // (4 * self.size))
        for start in range(0, elements, length):
            own = rows.read(index, start, min(length, elements - start))
            own = torch.from_numpy(own.astype(np.float32)).to(self.device)
            pieces = [torch.empty_like(own) for _ in range(self.size)]
            with _all_ranks():
                dist.all_gather(pieces, own, group=self.process_group)
            for rank, piece in enumerate(pieces):
                yield rank, start, piece.cpu().numpy().astype("<f4", copy=False)


@contextmanager
def _all_ranks():
    """Around a collective. CaptureError in place of the backend's words, if a rank does not take part."""
    try:
        yield
    except RuntimeError as error:
        reason = str(error).strip().splitlines()[-1]
        raise CaptureError(f"another rank has ended or failed: all ranks must make a Capture and call its finish() ({reason})") from None
