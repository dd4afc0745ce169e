"""Writer of the trace folder: made beside its final place, moved there when it is complete."""

import tempfile
from pathlib import Path

import numpy as np

from .error import CaptureError
from .manifest import file_name, to_text


def why_not_writable(folder):
    """Why no trace can be made at `folder`, in one line, or None."""
    if folder.exists() and not folder.is_dir():
        return f"{folder} exists and is not a folder; choose another place"
    if folder.is_dir() and any(folder.iterdir()):
        return f"{folder} exists and is not empty; remove it or choose another place"
    return None


def scratch_beside(folder, purpose):
    """A hidden folder beside `folder`, on the same file system, that goes with the process at the latest."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        return tempfile.TemporaryDirectory(prefix=f".{folder.name}.{purpose}-", dir=folder.parent)
    except OSError as error:
        raise CaptureError(f"{folder.parent} is not writable: {error.strerror}") from error


class TraceWriter:
    """Writes one trace at `folder` (a Path), which appears with `publish` and not before."""

    def __init__(self, folder):
        problem = why_not_writable(folder)
        if problem:
            raise CaptureError(problem)
        self._folder = folder
        self._scratch = scratch_beside(folder, "part")
        self._made = Path(self._scratch.name) / "trace"
        self._made.mkdir()

    def open(self, index, ranks, elements):
        """The file of iteration `index`, open behind its header.

        The caller writes '<f4' [ranks, elements] in C order; the header ends where it stands.
        """
        file = open(self._made / file_name(index), "wb")
        np.lib.format.write_array_header_1_0(
            file, {"descr": "<f4", "fortran_order": False, "shape": (ranks, elements)})
        return file

    def publish(self, content):
        """Write trace.yaml with the `content` of manifest.describe and move the folder to its place."""
        (self._made / "trace.yaml").write_text(to_text(content), encoding="utf-8")
        problem = why_not_writable(self._folder)
        if problem:
            raise CaptureError(problem)
        self._made.chmod(0o755)
        if self._folder.exists():
            self._folder.rmdir()
        self._made.rename(self._folder)
        self.discard()

    def discard(self):
        """Remove what is not published."""
        self._scratch.cleanup()
