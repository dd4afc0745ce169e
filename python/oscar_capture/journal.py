"""What one rank notes in each iteration beside the gradients: losses and ready times."""

import numpy as np

from .timer import BackwardTimer

CURVE_INTERVAL = 50  # steps between two points of the loss curve


class Journal:
    """Counts the steps; collects the loss and the ready times of the steps that are kept."""

    def __init__(self, module, tensors, windows):
        self.windows, self.step = windows, 0
        self.timer = BackwardTimer(module, tensors)
        self.timer.active = self.recording
        self._seconds = np.zeros(len(tensors))
        self._laps = np.zeros(len(tensors))
        self._pending, self._losses = [], {}

    @property
    def recording(self):
        """Whether the current iteration is to be recorded."""
        return self.step in self.windows

    def loss(self, value):
        """Note the loss, a number or a tensor of one element, of the coming backward pass; returns it."""
        self._pending.append(value.detach() if hasattr(value, "detach") else value)
        if hasattr(value, "detach"):
            self.timer.starts_at(value)
        return value

    def lap(self):
        """One backward pass of one worker is complete."""
        ready = np.array(self.timer.lap())
        if self.recording:
            self._laps += ~np.isnan(ready)
            self._seconds += np.nan_to_num(ready)

    def next_step(self):
        """The iteration is complete."""
        if self._pending and (self.recording or self.step % CURVE_INTERVAL == 0):
            self._losses[self.step] = sum(float(value) for value in self._pending) / len(self._pending)
        self._pending = []
        self.step += 1
        self.timer.active = self.recording

    def state(self):
        """What was noted so far, as a dict of plain values and arrays."""
        return dict(step=self.step, seconds=self._seconds.copy(), laps=self._laps.copy(), losses=dict(self._losses))

    def restore(self, state):
        """Go on behind the iterations that `state` was noted in."""
        self.step, self._losses = state["step"], dict(state["losses"])
        self._seconds, self._laps = state["seconds"].copy(), state["laps"].copy()
        self.timer.active = self.recording

    def numbers(self):
        """Sums and counts of the ready times and the losses as one vector to be added up over the ranks.

        float64 [2 * tensors + recorded steps + points of the curve]; a loss that was not given is NaN.
        """
        points = [*self.windows.steps, *self._curve_steps()]
        return np.concatenate([self._seconds, self._laps, [self._losses.get(step, float("nan")) for step in points]])

    def summary(self, numbers, ranks):
        """(seconds per tensor, {step: loss}, [(step, loss)] of the curve) out of `numbers` summed over `ranks`."""
        layers, recorded = len(self._seconds), len(self.windows.steps)
        ready = numbers[:layers] / np.maximum(numbers[layers : 2 * layers], 1)
        losses = [round(float(loss), 6) for loss in numbers[2 * layers :] / ranks]
        at_steps = dict(_known(zip(self.windows.steps, losses[:recorded])))
        return ready, at_steps, list(_known(zip(self._curve_steps(), losses[recorded:])))

    def _curve_steps(self):
        return range(0, self.step, CURVE_INTERVAL)


def _known(pairs):
    return ((step, loss) for step, loss in pairs if np.isfinite(loss))
