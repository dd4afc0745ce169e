"""The state of a training between two steps, on disk: an interrupted capture goes on from it."""

import os
import time
import zipfile

import numpy as np
import torch

from oscar_capture import CaptureError

from . import plain

INTERVAL = 300.0  # seconds between two checkpoints


class Checkpoint:
    """One file, replaced by each `save`: an .npz without objects, so that a foreign one cannot run anything.

    `settings`: whatever a later run must have equal, a text. It is compared before anything else is read.
    """

    def __init__(self, path, settings):
        self._path, self._settings = path, settings
        self._saved = time.monotonic()

    @property
    def is_due(self):
        """Whether INTERVAL has passed since the last one."""
        return time.monotonic() - self._saved >= INTERVAL

    def save(self, model, optimiser, recorder, quality):
        """Replace the file by the present state. `quality`: {stage: number}."""
        state, arrays = plain.split(
            dict(
                model=dict(model.state_dict()),
                optimiser=optimiser.state_dict(),
                recorder=recorder.state(),
                quality=quality,
                random=torch.get_rng_state(),
            )
        )
        part = self._path.with_suffix(".part")
        with open(part, "wb") as file:
            np.savez(
                file,
                settings=np.array(self._settings),
                state=np.array(state),
                **{f"array-{number}": array for number, array in enumerate(arrays)},
            )
        os.replace(part, self._path)
        self._saved = time.monotonic()

    def restore(self, model, optimiser, recorder):
        """Take up the state of the file, if there is one of the same settings; returns its `quality`, or {}.

        CaptureError: the file is damaged or none of this program's.
        """
        if not self._path.exists():
            return {}
        try:
            state = self._read()
            return self._take_up(state, model, optimiser, recorder) if state else {}
        except (
            ValueError,
            LookupError,
            TypeError,
            AttributeError,
            RuntimeError,
            EOFError,
            zipfile.BadZipFile,
        ) as error:
            why = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise CaptureError(f"{self._path} is damaged or no checkpoint ({why}); remove it to begin anew") from error

    @staticmethod
    def _take_up(state, model, optimiser, recorder):
        model.load_state_dict(state["model"])
        optimiser.load_state_dict(state["optimiser"])
        recorder.restore(state["recorder"])
        torch.set_rng_state(state["random"])
        return state["quality"]

    def _read(self):
        """The file's state, or None if it has other settings."""
        with open(self._path, "rb") as opened, np.load(
            opened, allow_pickle=False
        ) as file:  # reads a member when it is asked for
            if file["settings"].item() != self._settings:
                return None
            return plain.join(file["state"].item(), Members(file))


class Members:
    """The numbered arrays of a checkpoint."""

    def __init__(self, file):
        self._file = file

    def __getitem__(self, number):
        return self._file[f"array-{number}"]
