"""When each tensor's gradient is complete, from the start of the backward pass."""

import weakref
from contextlib import contextmanager

import torch

from .clock import clock_for


class BackwardTimer:
    """Stamps the start of a backward pass and each tensor's gradient, while `active`.

    The start is when the backward pass reaches the loss given to `starts_at`, or else the outputs
    of `module`, or else the first tensor. `storage[i]` is the address of tensor i's .grad just before
    its newest gradient was added to it: 0 if there was none, None if no gradient came since `lap`.
    """

    def __init__(self, module, tensors):
        self.active = False
        self.storage = [None] * len(tensors)
        self._clock = clock_for(tensors[0].device)
        self._start, self._stamps = None, [None] * len(tensors)
        self._excluded, self._excluded_by = [], [0] * len(tensors)
        self._hooks = [tensor.register_hook(self._note(i, tensor)) for i, tensor in enumerate(tensors)]
        self._hooks.append(module.register_forward_hook(self._forward))

    def _note(self, position, tensor):
        reference = weakref.ref(tensor)  # the hook belongs to the tensor: a cycle would keep the model's memory

        def note(_):
            grad = reference().grad
            self.storage[position] = 0 if grad is None else grad.data_ptr()
            if self.active:
                self._begin()
                self._stamps[position] = self._clock.now()
                self._excluded_by[position] = len(self._excluded)

        return note

    def _forward(self, module, inputs, outputs):
        self._start, self._excluded = None, []
        if self.active:
            for tensor in _tensors(outputs):
                self.starts_at(tensor)

    def starts_at(self, tensor):
        """The backward pass begins when the gradient of `tensor` is known, unless it has begun."""
        if self.active and tensor.requires_grad:
            tensor.register_hook(self._begin)

    def _begin(self, _=None):
        if self._start is None:
            self._start = self._clock.now()

    @contextmanager
    def excluded(self):
        """The recorder's own work, whose duration is taken out of all later stamps."""
        begin = self._clock.now()
        yield
        self._excluded.append((begin, self._clock.now()))

    def lap(self):
        """Seconds until each gradient was ready, NaN for a tensor that got none; begins anew."""
        excluded = [0.0]
        for begin, end in self._excluded:
            excluded.append(excluded[-1] + self._clock.seconds(begin, end))
        ready = [
            float("nan") if stamp is None else self._clock.seconds(self._start, stamp) - excluded[before]
            for stamp, before in zip(self._stamps, self._excluded_by)
        ]
        self._start, self._excluded = None, []
        self._stamps = [None] * len(ready)
        self.storage = [None] * len(ready)
        return ready

    def remove(self):
        """Take all hooks off the model."""
        for hook in self._hooks:
            hook.remove()


def _tensors(value):
    """The tensors in nested dicts, lists and tuples."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _tensors(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _tensors(item)
