"""Capture from one process that plays the N workers of a data-parallel run in turn.

    recorder = logical.Recorder(model, "traces/mine", ranks=8, first=10, count=4)
    for images, labels in steps:                  # [ranks, batch, ...]
        for rank in range(8):
            with recorder.worker(rank):
                recorder.loss(criterion(model(images[rank]), labels[rank])).backward()
        recorder.average()                        # the mean over the workers is now in .grad
        optimiser.step()
    recorder.finish()
"""

from contextlib import contextmanager

import numpy as np
import torch

from .error import CaptureError
from .folder import TraceWriter
from .journal import Journal
from .layers import chosen, part_in_words, trained
from .recorder import TraceText, threads
from .unfinished import Unfinished
from .values import why_not_finite
from .windows import Windows


class Recorder:
    """Records the gradient of each worker of `ranks`; the other arguments are those of ddp.Capture.

    `replace`: put the trace in place of one that lies at `folder`. `keep`: a capture that ends early leaves its files
    in a hidden folder beside `folder`, `unfinished`, where a later one, and one at a time, goes on with `restore`.
    Memory: one more copy of the gradient. The files are written while the run goes on.
    """

    def __init__(
        self,
        module,
        folder,
        ranks,
        first=None,
        count=None,
        stage="captured",
        windows=None,
        layers=None,
        dtype="f4",
        replace=False,
        keep=False,
        **about,
    ):
        if isinstance(ranks, bool) or not isinstance(ranks, int) or ranks < 1:
            raise CaptureError(f"ranks must be a whole number of at least 1, not {ranks!r}")
        self.ranks = ranks
        self._tensors, all_layers = trained(module)
        self._chosen = chosen(all_layers, layers)
        self._part = part_in_words(all_layers, self._chosen)
        self.layers = [all_layers[i] for i in self._chosen]
        self._windows = Windows(first, count, stage, windows)
        self._text = TraceText(folder, about)
        self._writer = TraceWriter(self._text.folder, dtype, replace, keep)
        self.journal = Journal(module, self._tensors, self._windows)
        self._file, self._problem = None, None
        self._unfinished = Unfinished(self, self._text.folder, self._windows, "call finish() after training")
        self._next, self._sum = 0, [None] * len(self._tensors)

    @property
    def step(self):
        """Iterations that were completed so far."""
        return self.journal.step

    @property
    def unfinished(self):
        """The folder of what is not yet published, a Path."""
        return self._writer.unfinished

    def state(self):
        """What `restore` needs to go on between two iterations: a dict of plain values and arrays."""
        return dict(
            journal=self.journal.state(),
            scales=list(self._writer.scales),
            dtypes=sorted(self._text.dtypes),
            recorded=self._unfinished.recorded,
            problem=self._problem,
        )

    def restore(self, state):
        """Go on where a capture with the same arguments and `keep` returned `state`."""
        self.journal.restore(state["journal"])
        self._writer.scales, self._text.dtypes = list(state["scales"]), set(state["dtypes"])
        self._unfinished.recorded, self._problem = state["recorded"], state.get("problem")

    def loss(self, value):
        """Note the loss of the worker's coming backward pass and return it; see ddp.Capture.loss."""
        return self.journal.loss(value)

    def validation(self, metric, early, late, chance):
        """State how well the model had learned at its first and last window, and what a guess gives."""
        self._text.validation(metric, early, late, chance)

    @contextmanager
    def pooled(self):
        """An iteration that is not recorded, as one backward pass of the mean loss over all workers' examples.

        Gradients start at None; what the block leaves in .grad is the mean, and the iteration ends with it.
        """
        if self._next:
            raise CaptureError(f"{self._expected()} comes next, not pooled()")
        if self.journal.recording:
            raise CaptureError(f"iteration {self.step} is recorded: it needs the gradient of each worker, not pooled()")
        for tensor in self._tensors:
            tensor.grad = None
        yield
        self.journal.lap()
        self.journal.next_step()

    @contextmanager
    def worker(self, rank):
        """The work of one worker: gradients start at None and are taken at the end. Ranks in order."""
        if rank != self._next or rank >= self.ranks:
            raise CaptureError(f"{self._expected()} comes next, not worker({rank!r})")
        for tensor in self._tensors:
            tensor.grad = None
        yield
        if self.journal.recording:
            self._write_row()
        self._add()
        self.journal.lap()
        self._next += 1

    def average(self):
        """Put the mean over the workers into .grad, which ends the iteration.

        Each worker's gradient is multiplied by 1/ranks, then they are added in the order of the ranks.
        A tensor that got no gradient from any worker keeps None.
        """
        if self._next != self.ranks:
            raise CaptureError(f"worker({self._next}) comes next, not average(); it needs all {self.ranks} workers")
        for tensor, total in zip(self._tensors, self._sum):
            tensor.grad = total
        self._next, self._sum = 0, [None] * len(self._tensors)
        if self._file:
            self._writer.close(self._file)
            self._file = None
            self._unfinished.recorded += 1
        self.journal.next_step()

    def finish(self):
        """Write trace.yaml and move the folder to its place; CaptureError if iterations are missing,
        or a recorded gradient is not finite."""
        if self._writer is None:
            raise CaptureError("the capture is finished already")
        try:
            problem = self._problem or self._windows.why_incomplete(self.step)
            if problem:
                raise CaptureError(problem)
            where = f"{self.ranks} workers in turn in one process on {self._tensors[0].device.type}, {threads()}"
            ready, *losses = self.journal.summary(self.journal.numbers(), 1)
            summary = ([ready[i] for i in self._chosen], *losses)
            self._writer.publish(
                self._text.content(
                    where, self.ranks, self.layers, self._windows, summary, self._writer.scales, self._part
                )
            )
        finally:
            self.discard()

    def discard(self):
        """Give the capture up: what is not yet published is removed, the model is free of hooks."""
        if self._writer:
            self.journal.timer.remove()
            self._unfinished.forget()
            self._writer.discard()
        if self._file:
            self._file.close()
        self._writer = self._file = None

    def _expected(self):
        """The call that goes on with this iteration."""
        return "average()" if self._next == self.ranks else f"worker({self._next})"

    def _write_row(self):
        if self._file is None:
            elements = sum(layer.size for layer in self.layers)
            self._file = self._writer.open(self._unfinished.recorded, self.ranks, elements)
        for position, layer in zip(self._chosen, self.layers):
            part = self._row_of(self._tensors[position])
            self._problem = self._problem or why_not_finite(self.step, self._next, layer, part)
            self._file.write(np.ascontiguousarray(part.numpy(), dtype="<f4").data)

    def _row_of(self, tensor):
        """The gradient as fp32 in CPU memory, one dimension."""
        gradient = torch.zeros_like(tensor) if tensor.grad is None else tensor.grad
        if gradient.is_sparse:
            raise CaptureError("sparse gradients cannot be recorded; use sparse=False in the embedding")
        self._text.note_type(gradient)
        return gradient.detach().float().cpu().reshape(-1)

    def _add(self):
        for i, tensor in enumerate(self._tensors):
            if tensor.grad is not None:
                share = tensor.grad.detach().mul_(1 / self.ranks)
                self._sum[i] = share if self._sum[i] is None else self._sum[i].add_(share)
                tensor.grad = None
