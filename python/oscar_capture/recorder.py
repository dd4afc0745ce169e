"""What the DDP and the FSDP capture share: one rank's part of the recording, joined at the end."""

import weakref
from dataclasses import replace
from pathlib import Path

import torch

from .about import about as parse_about
from .error import CaptureError
from .folder import TraceWriter, check_dtype, why_not_writable
from .group import check_timeout
from .journal import Journal
from .layers import chosen, part_in_words
from .manifest import describe
from .rows import RankRows
from .unfinished import Unfinished
from .values import why_not_finite
from .windows import Windows

VALUES = "gradient of each worker's own mean loss, before averaging; no clipping, no residual"


class TraceText:
    """The describing part of a capture: what the user says and what the recorder saw."""

    def __init__(self, folder, about):
        self.folder = Path(folder).absolute()
        self._about = parse_about(about)
        self._validation = None
        self.dtypes = set()  # names of the recorded gradients' types, like "float16"

    def note_type(self, tensor):
        """Note the type of a recorded gradient."""
        self.dtypes.add(str(tensor.dtype).replace("torch.", ""))

    def validation(self, metric, early, late, chance):
        """State how well the model had learned at its first and last window, and what a guess gives."""
        self._validation = dict(metric=str(metric), early=float(early), late=float(late), chance=float(chance))

    def content(self, where, ranks, layers, windows, summary, scales, part):
        """The content of trace.yaml.

        `where`: how the ranks ran, in words. `summary`: of the Journal. `scales`: of the TraceWriter.
        `part`: which part of the model was recorded, in words, if not all.
        """
        notes = [part, self._conversion(), "stored as fp16 times a power of two" if scales else ""]
        about = replace(
            self._about,
            name=self._about.name or self.folder.name,
            framework=self._about.framework or f"PyTorch {torch.__version__}, {where}",
            values="; ".join([self._about.values or "fp32 " + VALUES, *filter(None, notes)]),
        )
        return describe(about, ranks, layers, windows, *summary, self._validation, scales)

    def _conversion(self):
        others = sorted(self.dtypes - {"float32"})
        return f"{' and '.join(others)} gradients were converted to fp32" if others else ""


class RankCapture:
    """One rank's capture. A subclass records the iterations; `finish` joins the ranks.

    `tensors` have the gradients of `layers`; `tensor_of` says for each layer in which of them it lies.
    `recorded` are the arguments first, count, stage, windows, layers, dtype and timeout of the subclass.
    """

    def __init__(self, group, module, tensors, layers, tensor_of, folder, recorded, about, where):
        self.group, self._where, self._tensor_of = group, where, tensor_of
        self._rows = self._unfinished = None
        problem = None
        weakref.finalize(
            self, group.close
        )  # a script that ends without finish(): the others are told, and no thread of gloo outlives it
        try:
            globs, self._dtype, self._timeout = (recorded.pop(name) for name in ("layers", "dtype", "timeout"))
            check_dtype(self._dtype)
            check_timeout(self._timeout)
            self._chosen = chosen(layers, globs)
            self._part = part_in_words(layers, self._chosen)
            self.layers = [layers[i] for i in self._chosen]
            self._windows = Windows(**recorded)
            self._text = TraceText(folder, about)
            problem = why_not_writable(self._text.folder) if group.rank == 0 else None
            self._rows = RankRows(self._text.folder, group.rank) if problem is None else None
        except CaptureError as error:
            problem = str(error)
        try:
            group.agree(problem)
        except CaptureError:
            group.part()
            self.discard()
            raise
        self.journal = Journal(module, tensors, self._windows)
        self._finished, self._problem = False, None
        self._unfinished = (
            Unfinished(self, self._text.folder, self._windows, "all ranks call finish() after training")
            if group.rank == 0
            else None
        )

    @property
    def step(self):
        """Iterations that were completed so far."""
        return self.journal.step

    @property
    def recording(self):
        """Whether the current iteration is to be recorded."""
        return not self._finished and self.journal.recording

    def loss(self, value):
        """Note the loss of the coming backward pass and return it: `loss = capture.loss(criterion(...))`.

        `value`: a number, or a tensor of one element, which also marks the start of the backward pass
        (else that is when the gradient reaches the model's outputs). Several calls before one
        averaging (gradient accumulation) count as their mean. Call it on all ranks or on none.
        """
        return self.journal.loss(value)

    def validation(self, metric, early, late, chance):
        """State how well the model had learned at its first and last window, and what a guess gives."""
        self._text.validation(metric, early, late, chance)

    def store(self, parts):
        """Store the recorded iteration: of each layer of the model a tensor [its size], any device and type.

        Values that are not finite do not stop the training: stderr names the first, and finish() refuses the capture.
        """
        parts = [parts[i] for i in self._chosen]
        for part, layer in zip(parts, self.layers):
            if part is None:
                raise CaptureError(f"no gradient of {layer.name} was averaged in iteration {self.step}")
        for part in parts:
            self._text.note_type(part)
        self._rows.append(self._checked(part.detach().float().cpu(), layer) for part, layer in zip(parts, self.layers))
        if self._unfinished:
            self._unfinished.recorded += 1

    def _checked(self, part, layer):
        """`part`, after the first value that is not finite was noted."""
        self._problem = self._problem or why_not_finite(self.step, self.group.rank, layer, part)
        return part

    def finish(self):
        """Gather all ranks' gradients and write the trace; all ranks must call it, after training.

        CaptureError, on all ranks and with nothing written: iterations are missing, a recorded gradient is
        not finite, rank 0 cannot write, or a rank is gone or late. Rank 0 needs disk space for the whole trace.
        """
        if self._finished:
            raise CaptureError("the capture is finished already")
        self._finished = True
        try:
            self.group.agree(self._problem or self._windows.why_incomplete(self.step))
            numbers = self.group.sum(self.journal.numbers())
            ready, *losses = self.journal.summary(numbers, self.group.size)
            ready = [ready[self._tensor_of[i]] for i in self._chosen]
            self.group.agree(self._write((ready, *losses)))
            self._leave()
        except CaptureError:
            self._leave()
            raise
        finally:
            self.discard()

    def _leave(self):
        """Part from the other ranks, if all are there, and from the training's backend."""
        if self.group.part():
            self.settle(self._timeout)

    def _write(self, summary):
        """Gather and, on rank 0, write; why that failed, in one line, or None. Never leaves a gather early."""
        writer, problem = None, None
        try:
            writer = TraceWriter(self._text.folder, self._dtype) if self.group.rank == 0 else None
        except CaptureError as error:
            problem = str(error)
        for index in range(len(self._windows.steps)):
            problem = self._write_iteration(None if problem else writer, index) or problem
        if writer and not problem:
            problem = _problem_of(
                lambda: writer.publish(
                    self._text.content(
                        self._where, self.group.size, self.layers, self._windows, summary, writer.scales, self._part
                    )
                )
            )
        if writer:
            writer.discard()
        return problem

    def _write_iteration(self, writer, index):
        elements = sum(layer.size for layer in self.layers)
        file, problem = None, None
        if writer:
            try:
                file = writer.open(index, self.group.size, elements)
                header = file.tell()
            except OSError as error:
                problem = f"cannot write the trace: {error}"
        for rank, start, piece in self.group.gather(self._rows, index, elements):
            if file and not problem:
                problem = _problem_of(
                    lambda: (file.seek(header + 4 * (rank * elements + start)), file.write(piece.data))
                )
        if file:
            problem = _problem_of(lambda: writer.close(file)) or problem
        return problem

    def settle(self, seconds):
        """Wait, no longer than `seconds`, until the backend's threads have let go of what the hook gave them."""

    def discard(self):
        """Give the capture up: this rank's files are removed; the hook goes on averaging."""
        self._finished = True
        self.group.close()
        if self._unfinished:
            self._unfinished.forget()
        if self._rows:
            self._rows.discard()


def threads():
    """How many threads PyTorch computes with in this process, in words."""
    count = torch.get_num_threads()
    return "1 thread" if count == 1 else f"{count} threads"


def _problem_of(action):
    """Why `action` failed to write, in one line, or None."""
    try:
        action()
    except (OSError, CaptureError) as error:
        return f"cannot write the trace: {error}"
    return None
