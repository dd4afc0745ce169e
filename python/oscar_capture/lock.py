"""One capture at a time in a folder."""

import contextlib
import fcntl
import os

from .error import CaptureError


class FolderLock:
    """Holds the lock of `folder` (a Path, of which `place` is spoken of) until `release` or the end of the process,
    however that ends.

    CaptureError, which names the process that holds the lock: there is one.
    """

    def __init__(self, folder, place):
        self._path = folder / "lock"
        while not self._take(folder, place):
            pass  # another capture has just removed the folder

    def _take(self, folder, place):
        folder.mkdir(parents=True, exist_ok=True)
        try:
            self._file = open(self._path, "a+")
        except FileNotFoundError:
            return False
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.seek(0)
            holder = self._file.read().strip()
            self._file.close()
            raise CaptureError(
                f"{place}: process {holder or '?'} makes a capture there; wait for it, or choose another folder"
            ) from None
        with contextlib.suppress(FileNotFoundError):
            if self._is_in_place():
                self._file.truncate(0)
                print(os.getpid(), file=self._file, flush=True)
                return True
        self._file.close()
        return False

    def _is_in_place(self):
        """Whether the locked file is the one that others find."""
        return os.path.samestat(os.stat(self._path), os.fstat(self._file.fileno()))

    def release(self):
        """Leave the lock to others. The file goes, too, with the folder if nothing else is in it."""
        if self._file.closed:
            return
        with contextlib.suppress(OSError):
            if self._is_in_place() and os.listdir(self._path.parent) == [self._path.name]:
                self._path.unlink()
                self._path.parent.rmdir()
        self._file.close()
