"""Which iterations to record."""

from .error import CaptureError
from .layers import runs


class Windows:
    """The steps to record, each with the name of its stage, in the order of training.

    Either `first` and `count`, with one `stage` name, or `windows`: {stage: (first, count)}. A step
    is the number of gradient averagings that came before; windows may touch but not overlap.
    """

    def __init__(self, first=None, count=None, stage="captured", windows=None):
        if (windows is None) == (first is None) or (first is None) != (count is None):
            raise CaptureError("give either first=STEP and count=N, or windows={'early': (STEP, N)}")
        windows = {stage: (first, count)} if windows is None else windows
        if not isinstance(windows, dict) or not windows:
            raise CaptureError("windows must be like {'early': (10, 4), 'late': (1196, 4)}")
        self._stage = {}
        for name, window in windows.items():
            self._add(name, window)
        self.steps = sorted(self._stage)

    def _add(self, stage, window):
        if not isinstance(stage, str) or not stage:
            raise CaptureError(f"a stage needs a name in letters, not {stage!r}")
        if not _is_window(window):
            raise CaptureError(f"window {stage!r} must be (first step >= 0, count >= 1), not {window!r}")
        first, count = window
        for step in range(first, first + count):
            if step in self._stage:
                raise CaptureError(f"windows {self._stage[step]!r} and {stage!r} overlap at step {step}")
            self._stage[step] = stage

    def __contains__(self, step):
        return step in self._stage

    def stage(self, step):
        """Name of the stage that `step` belongs to."""
        return self._stage[step]

    def why_incomplete(self, steps_done):
        """Why a training of `steps_done` steps does not fill the windows, in one line, or None."""
        missing = [step for step in self.steps if step >= steps_done]
        if not missing:
            return None
        return (
            f"training ended after {steps_done} iterations, so iterations {_ranges(missing)} are missing; "
            "nothing was written: train longer or choose earlier windows"
        )


def _is_window(window):
    if not isinstance(window, (tuple, list)) or len(window) != 2:
        return False
    if not all(isinstance(n, int) and not isinstance(n, bool) for n in window):
        return False
    return window[0] >= 0 and window[1] >= 1


def _ranges(steps):
    """Ascending numbers in words: [3, 4, 5, 9] is "3 to 5, 9"."""
    return ", ".join(str(a) if a == b else f"{a} to {b}" for a, b in runs(steps))
