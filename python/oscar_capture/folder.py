"""Writer of the trace folder: made beside its final place, moved there when it is complete."""

import contextlib
import shutil
import tempfile
from pathlib import Path

import numpy as np

from .error import CaptureError
from .half import scale_of, to_half
from .lock import FolderLock
from .manifest import file_name, to_text, with_hashes

DTYPES = ("f4", "f2")
PIECE_ELEMENTS = 1 << 24  # of an iteration, in memory at a time


def why_not_writable(folder, replace=False):
    """Why no trace can be made at `folder`, in one line, or None. `replace`: in place of a trace that is there."""
    if folder.exists() and not folder.is_dir():
        return f"{folder} exists and is not a folder; choose another place"
    if folder.is_dir() and any(folder.iterdir()):
        if not replace:
            return f"{folder} exists and is not empty; remove it or choose another place"
        if not (folder / "trace.yaml").is_file():
            return f"{folder} holds no trace.yaml, so it is not replaced; choose another place"
    return None


def scratch_beside(folder, purpose):
    """A hidden folder beside `folder`, on the same file system, that goes with the process at the latest."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        return tempfile.TemporaryDirectory(prefix=f".{folder.name}.{purpose}-", dir=folder.parent)
    except OSError as error:
        raise CaptureError(f"{folder.parent} is not writable: {error.strerror}") from error


def check_dtype(dtype):
    """CaptureError if `dtype` is not one that a trace can be written in."""
    if dtype not in DTYPES:
        raise CaptureError(f"dtype must be one of {', '.join(DTYPES)}, not {dtype!r}")


class KeptFolder:
    """A hidden folder beside `folder` that outlives the process; stands for the scratch folder of the others.
    For one capture at a time."""

    def __init__(self, folder):
        made = folder.parent / f".{folder.name}.unfinished"
        try:
            self._lock = FolderLock(made, folder)
        except OSError as error:
            raise CaptureError(f"{folder.parent} is not writable: {error.strerror}") from error
        self.name = str(made)

    def cleanup(self):
        """A later capture goes on with what is there; only an empty folder is removed."""
        with contextlib.suppress(OSError):
            (Path(self.name) / "trace").rmdir()
        self._lock.release()


class TraceWriter:
    """Writes one trace at `folder` (a Path), which appears with `publish` and not before.

    `dtype`: "f4", fp32, or "f2", fp16 with a power of two for each iteration; `scales` holds these.
    `replace`: whether a trace that lies at `folder` makes room when the new one is complete. `keep`: whether what is
    not published outlives the writer, for the next one.
    """

    def __init__(self, folder, dtype="f4", replace=False, keep=False):
        check_dtype(dtype)
        problem = why_not_writable(folder, replace)
        if problem:
            raise CaptureError(problem)
        self._folder, self._dtype, self._replace = folder, dtype, replace
        self.scales = []
        self._scratch = KeptFolder(folder) if keep else scratch_beside(folder, "part")
        self.unfinished = Path(self._scratch.name)
        self._made = self.unfinished / "trace"
        self._made.mkdir(exist_ok=True)

    def open(self, index, ranks, elements):
        """The file of iteration `index`, open behind its header.

        The caller writes '<f4' [ranks, elements] in C order; the header ends where it stands. With the first iteration
        the trace begins anew: what an earlier capture with other settings left is removed.
        """
        if index == 0:
            for left in self._made.iterdir():
                left.unlink()
        file = open(self._made / file_name(index), "wb")
        np.lib.format.write_array_header_1_0(file, {"descr": "<f4", "fortran_order": False, "shape": (ranks, elements)})
        return file

    def close(self, file):
        """The iteration is complete: `file`, from `open`, is closed and brought to the trace's type."""
        file.close()
        if self._dtype == "f2":
            self.scales.append(_halve(Path(file.name)))

    def publish(self, content):
        """Write trace.yaml with the `content` of manifest.describe and the arrays' hashes;
        move the folder to its place."""
        (self._made / "trace.yaml").write_text(to_text(with_hashes(content, self._made)), encoding="utf-8")
        problem = why_not_writable(self._folder, self._replace)
        if problem:
            raise CaptureError(problem)
        self._made.chmod(0o755)
        if self._folder.exists():
            self._folder.rename(self.unfinished / "replaced")
        self._made.rename(self._folder)
        shutil.rmtree(self.unfinished)
        self.discard()

    def discard(self):
        """Remove what is not published."""
        self._scratch.cleanup()


def _halve(path):
    """Replace the fp32 array at `path` by an fp16 one of the same shape; returns its scale."""
    values = np.load(path, mmap_mode="r")
    flat = values.reshape(-1)
    pieces = [slice(start, start + PIECE_ELEMENTS) for start in range(0, len(flat), PIECE_ELEMENTS)]
    scale = scale_of(max(float(np.abs(flat[piece]).max()) for piece in pieces))
    halved = path.with_suffix(".f2")
    with open(halved, "wb") as file:
        np.lib.format.write_array_header_1_0(file, {"descr": "<f2", "fortran_order": False, "shape": values.shape})
        for piece in pieces:
            file.write(to_half(flat[piece], scale).data)
    halved.rename(path)
    return scale
