"""The state of a training between two steps, on disk: an interrupted capture goes on from it."""

import os
import time

import torch

INTERVAL = 300.0  # seconds between two checkpoints


class Checkpoint:
    """One file, replaced by each `save`. `settings`: whatever a later run must have equal, a text."""

    def __init__(self, path, settings):
        self._path, self._settings = path, settings
        self._saved = time.monotonic()

    @property
    def is_due(self):
        """Whether INTERVAL has passed since the last one."""
        return time.monotonic() - self._saved >= INTERVAL

    def save(self, model, optimiser, recorder, quality):
        """Replace the file by the present state. `quality`: {stage: number}."""
        state = dict(settings=self._settings, model=model.state_dict(), optimiser=optimiser.state_dict(),
                     recorder=recorder.state(), quality=quality, random=torch.get_rng_state())
        part = self._path.with_suffix(".part")
        torch.save(state, part)
        os.replace(part, self._path)
        self._saved = time.monotonic()

    def restore(self, model, optimiser, recorder):
        """Take up the state of the file, if there is one of the same settings; returns its `quality`, or {}."""
        if not self._path.exists():
            return {}
        state = torch.load(self._path)
        if state["settings"] != self._settings:
            return {}
        model.load_state_dict(state["model"])
        optimiser.load_state_dict(state["optimiser"])
        recorder.restore(state["recorder"])
        torch.set_rng_state(state["random"])
        return state["quality"]
