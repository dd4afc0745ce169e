"""What a script is told that ends, or drops its capture, without finish()."""

import sys
import weakref


class Unfinished:
    """Says on stderr that no trace was written, when `capture` goes or Python ends, unless forget() was called before.

    Finishing by itself is not for a script's end: all ranks must take part, and one of them may have failed.
    """

    def __init__(self, capture, folder, windows, remedy):
        self.recorded = 0  # iterations
        self._call = weakref.finalize(capture, _tell, self, folder, len(windows.steps), remedy)

    def forget(self):
        """The capture was finished or given up."""
        self._call.detach()


def _tell(state, folder, wanted, remedy):
    print(
        f"oscar_capture: {folder}: no trace was written, for finish() was never called ({state.recorded} of {wanted} "
        f"iterations were recorded); {remedy}",
        file=sys.stderr,
    )
