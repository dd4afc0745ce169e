"""Capture from FullyShardedDataParallel (the class FSDP), with a reduce-scatter hook.

    capture = fsdp.Capture(fsdp_model, "traces/mine", first=10, count=4)
    fsdp_model.register_comm_hook(capture, fsdp.hook)
    ...train; optionally loss = capture.loss(loss) before loss.backward()...
    capture.finish()
    del capture, fsdp_model; torch.distributed.destroy_process_group()     # the model first

What is recorded is each unit's flattened, unsharded gradient without its padding, as the rank would
send it into the reduce-scatter; the averaging is then done by PyTorch's own default hook. Layers are
listed unit by unit, in the order in which FSDP flattened them; `ready` is that of the unit.

Not for hybrid sharding (PyTorch itself refuses hooks there) nor for fully_shard ("FSDP2", which has
no such hook). FSDP needs a GPU in PyTorch 1.13, so the tests drive the hook as FSDP calls it, over
gloo. Not run yet: FSDP on a GPU, NCCL, PyTorch 2 (whose attribute names were read in its source).
"""

from contextlib import nullcontext
from typing import List, NamedTuple

import torch
from torch.distributed.algorithms._comm_hooks import default_hooks

from .error import CaptureError
from .group import TIMEOUT, Group
from .layers import Layer
from .recorder import RankCapture

WRAPPERS = ("_fsdp_wrapped_module", "_fpw_module", "_checkpoint_wrapped_module", "_orig_mod")


class Unit(NamedTuple):
    """One flattened parameter: its tensor, its layers, and where each starts in it (elements)."""

    flat: torch.Tensor
    layers: List[Layer]
    starts: List[int]


class Capture(RankCapture):
    """State of the hook; the arguments are those of ddp.Capture, but for an FSDP root module."""

    def __init__(
        self,
        fsdp_model,
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
        self._units = units_of(fsdp_model)
        if not self._units:
            raise CaptureError(f"found no flattened parameter in the {type(fsdp_model).__name__}; wrap it with FSDP")
        group = Group(fsdp_model.process_group, self._units[0].flat.device, timeout)
        self._default = default_hooks.DefaultState(group.process_group)
        self._current, self._kept, self._open = None, {}, False
        all_layers = [layer for unit in self._units for layer in unit.layers]
        unit_of = [i for i, unit in enumerate(self._units) for _ in unit.layers]
        where = f"FullyShardedDataParallel over {group.backend} on {group.device.type}"
        recorded = dict(
            first=first, count=count, stage=stage, windows=windows, layers=layers, dtype=dtype, timeout=timeout
        )
        super().__init__(
            group, fsdp_model, [unit.flat for unit in self._units], all_layers, unit_of, folder, recorded, about, where
        )
        for i, unit in enumerate(self._units):
            unit.flat.register_hook(self._note(i))

    def _note(self, position):
        def note(_):
            self._current = position  # FSDP calls the hook next, on the same thread

        return note

    def keep(self, gradient):
        """Copy a unit's gradient [elements with padding] and see to the end of the backward pass."""
        if not self._open:
            self._open = True
            torch.autograd.Variable._execution_engine.queue_callback(self._complete)
        if not self.recording:
            return
        if self._current is None:
            raise CaptureError("cannot tell which FSDP unit this gradient belongs to")
        on_host = gradient.device.type == "cpu"  # on a GPU the copy is made in a stream beside the backward pass
        with self.journal.timer.excluded() if on_host else nullcontext():
            copy = gradient.detach().flatten().clone()
            earlier = self._kept.get(self._current)
            self._kept[self._current] = copy if earlier is None else earlier + copy

    def average(self, gradient, output):
        """PyTorch's default: reduce-scatter into `output`, or all-reduce of `gradient` without one."""
        if output is None:
            default_hooks.allreduce_hook(self._default, gradient)
        else:
            default_hooks.reduce_scatter_hook(self._default, gradient, output)

    def discard(self):
        """See RankCapture; the model's memory is no longer held."""
        super().discard()
        self._units, self._kept = [], {}

    def _complete(self):
        self._open = False
        if self.recording:
            self.store([part for i, unit in enumerate(self._units) for part in _parts(unit, self._kept.get(i))])
        self._kept, self._current = {}, None
        self.journal.lap()
        self.journal.next_step()


def hook(state, grad, output=None):
    """Record `grad` [elements with padding], then average it as FSDP does: into `output` if sharded.

    The signature serves both kinds of FSDP hook: (state, grad) for NO_SHARD, (state, grad, output) else.
    """
    state.keep(grad)
    state.average(grad, output)


def units_of(fsdp_model):
    """The units of an FSDP module, in the order of its submodules; reads what PyTorch 1.13 to 2.x calls it."""
    units = []
    for path, module in fsdp_model.named_modules():
        handles = getattr(module, "_handles", None) or [getattr(module, "_handle", None)]
        for flat in (getattr(handle, "flat_param", None) for handle in handles):
            if flat is not None and flat.requires_grad and not any(unit.flat is flat for unit in units):
                units.append(_unit(path, flat))
    return units


def _unit(path, flat):
    names = getattr(flat, "_fqns", None) or flat._prefixed_param_names
    layers = [Layer(_clean(f"{path}.{name}"), tuple(shape)) for name, shape in zip(names, flat._shapes)]
    sizes = getattr(flat, "_numels_with_padding", None) or flat._numels
    padding = getattr(flat, "_is_padding_mask", None) or [False] * len(sizes)
    starts, end = [], 0
    for size, is_padding in zip(sizes, padding):
        starts += [] if is_padding else [end]
        end += size
    return Unit(flat, layers, starts)


def _clean(name):
    return ".".join(part for part in name.split(".") if part and part not in WRAPPERS)


def _parts(unit, gradient):
    """The layers' parts of a unit's gradient; zeros if the unit took no part in the backward pass."""
    if gradient is None:
        return [torch.zeros(layer.size) for layer in unit.layers]
    return [gradient[start : start + layer.size] for start, layer in zip(unit.starts, unit.layers)]
