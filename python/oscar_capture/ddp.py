"""Capture from DistributedDataParallel, with a communication hook that leaves training as it is.

    capture = ddp.Capture(ddp_model, "traces/mine", first=10, count=4)
    ddp_model.register_comm_hook(capture, ddp.hook)
    ...train; optionally loss = capture.loss(loss) before loss.backward()...
    capture.finish()
    del capture, ddp_model; torch.distributed.destroy_process_group()      # the model first

An iteration is a backward pass that DDP averages: those under no_sync() are part of the next one.
In a recorded iteration each rank holds one more copy of its gradient on its device, and writes it
to disk when the pass ends. With a GradScaler the values are those of the scaled loss: say so with
`values="..."`.
"""
# No `from __future__ import annotations` here: DDP looks at the hook's annotations as objects.

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

from .error import CaptureError
from .group import TIMEOUT, Group
from .layers import in_c_order, trained
from .lent import Lent
from .recorder import RankCapture, threads


class Capture(RankCapture):
    """State of the hook: which iterations to record, and what was recorded on this rank.

    `ddp_model`: the DistributedDataParallel. `folder`: the trace to make; it must not exist, or be
    empty. Either `first` and `count` (steps, counted from 0) with a `stage` name, or `windows`, like
    {"early": (10, 4), "late": (1196, 4)}. `layers`: globs of the layers to record, like ["conv1.*"]; None:
    all. `dtype`: "f4" stores fp32, "f2" fp16 with a power of two per iteration, which is half as large
    but not exact. `timeout`: seconds after which a rank that waits for another to make its Capture, or to
    go on in finish(), gives up with a CaptureError; one that ended is told at once. (The averaging in training
    keeps the process group's own timeout.) The other arguments describe the run: see about.About.
    All ranks must make a Capture, with the same arguments: CaptureError comes on all or none.
    """

    def __init__(
        self,
        ddp_model,
        folder,
        first=None,
        count=None,
        stage="captured",
        windows=None,
        layers=None,
        dtype="f4",
        timeout=TIMEOUT,
        **about,
    ):
        if not isinstance(ddp_model, DistributedDataParallel):
            raise CaptureError(f"the model must be a DistributedDataParallel, not a {type(ddp_model).__name__}")
        ignored = getattr(ddp_model, "parameters_to_ignore", ())
        tensors, all_layers = trained(ddp_model.module, set(ignored))
        self._position = {id(tensor): i for i, tensor in enumerate(tensors)}
        self._parts = [None] * len(tensors)
        self._lent = Lent()
        group = Group(ddp_model.process_group, tensors[0].device, timeout)
        where = f"DistributedDataParallel over {group.backend} on {group.device.type}, {threads()}"
        recorded = dict(
            first=first, count=count, stage=stage, windows=windows, layers=layers, dtype=dtype, timeout=timeout
        )
        super().__init__(group, ddp_model, tensors, all_layers, range(len(tensors)), folder, recorded, about, where)

    def keep(self, bucket):
        """Copy the bucket's gradients, which are this rank's own, if the iteration is recorded."""
        if not self.recording:
            return
        if bucket.buffer().is_sparse:
            raise CaptureError("sparse gradients cannot be recorded; use sparse=False in the embedding")
        with self.journal.timer.excluded():
            copy, start = bucket.buffer().detach().clone(), 0
            for tensor in bucket.parameters():  # in another order from the second iteration on
                part = copy[start : start + tensor.numel()]
                start += tensor.numel()
                if tensor.numel():
                    self._parts[self._position[id(tensor)]] = in_c_order(part, tensor)

    def divide(self, bucket):
        """Divide the bucket by the number of ranks, in the very bits of DDP without a hook.

        DDP multiplies by 1/ranks while it copies a gradient into its bucket, and divides by ranks where
        the gradient already lies there (gradient_as_bucket_view, not set to None before). These two
        agree in every bit if ranks is a power of two.
        """
        ranks = self.group.size
        if ranks & (ranks - 1) == 0:
            bucket.buffer().mul_(1 / ranks)
            return
        for tensor, part in zip(bucket.parameters(), bucket.gradients()):
            if part.numel():
                part.div_(ranks) if self._lay_in(part, tensor) else part.mul_(1 / ranks)

    def average(self, bucket):
        """The future of the bucket's mean over the ranks."""
        buffer = bucket.buffer()
        work = dist.all_reduce(self._lent.lend(buffer), group=self.group.process_group, async_op=True)
        return work.get_future().then(lambda done: (done.value(), buffer)[1])  # value() raises what went wrong

    def settle(self, seconds):
        """See RankCapture."""
        self._lent.wait(seconds)

    def discard(self):
        """See RankCapture; the model's memory is no longer held."""
        super().discard()
        self._parts = [None] * len(self._parts)

    def _lay_in(self, part, tensor):
        """Whether the gradient was added up in the bucket's own memory."""
        before = self.journal.timer.storage[self._position[id(tensor)]]
        if before is None:  # took no part in this backward pass
            before = 0 if tensor.grad is None else tensor.grad.data_ptr()
        return before == part.data_ptr()

    def complete(self):
        """The iteration's last bucket is on its way: store the copies and count the iteration."""
        if self.recording:
            self.store(self._parts)
            self._parts = [None] * len(self._parts)
        self.journal.lap()
        self.journal.next_step()


def hook(state: Capture, bucket: dist.GradBucket) -> torch.futures.Future[torch.Tensor]:
    """Record the bucket, then average it over the ranks as DDP itself does."""
    state.keep(bucket)
    state.divide(bucket)
    average = state.average(bucket)
    if bucket.is_last():
        state.complete()
    return average
