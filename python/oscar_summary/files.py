"""Files that appear whole or not at all."""

import errno
import os
import stat
from pathlib import Path

DESCRIPTORS = ("/proc/self/fd", "/proc/thread-self/fd")
LINKS = 40  # as many as Linux follows


def replace(file, content):
    """Writes `content`, a text or bytes, beside `file` (a Path) and renames it, so that nobody sees half of it;
    makes the folder where it is missing.

    A link stays and its target is replaced; a device, a pipe or an open
    descriptor (/dev/stdout) is written into. OSError, of `file`: a folder,
    a socket, a loop of links.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    file.parent.mkdir(parents=True, exist_ok=True)
    place = _behind_links(file)
    descriptor = _own_descriptor(place)
    if descriptor is not None:
        return _write_into(os.dup(descriptor), data)
    if _real_folder(place).startswith("/proc/") or _is_stream(place, file):
        return _write_into(os.open(place, os.O_WRONLY | os.O_NOCTTY), data)
    draft = place.with_name(f"{place.name}.{os.getpid()}.tmp")
    draft.write_bytes(data)
    draft.rename(place)


def is_standard_output(file):
    """Whether what is written to `file` is printed, so that nothing else should be."""
    return _own_descriptor(_behind_links(file)) == 1


def _real_folder(path):
    return os.path.realpath(path.parent)


def _own_descriptor(path):
    """The number of the descriptor of this process that `path` names, or None."""
    is_own = _real_folder(path) in map(os.path.realpath, DESCRIPTORS) and path.name.isdecimal()
    return int(path.name) if is_own else None


def _behind_links(file):
    """Where the links at `file` end, in a file, in nothing, or in /proc."""
    path = Path(file)
    for _ in range(LINKS + 1):
        if _real_folder(path).startswith("/proc/") or not path.is_symlink():
            return path
        path = path.parent / os.readlink(path)
    raise OSError(errno.ELOOP, "Too many levels of symbolic links", str(file))


def _is_stream(place, file):
    """Whether a device or a pipe is there. OSError: what takes no text."""
    try:
        mode = place.lstat().st_mode
    except FileNotFoundError:
        return False
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "Is a directory", str(file))
    if stat.S_ISSOCK(mode):
        raise OSError(errno.ENXIO, "Is a socket", str(file))
    return not stat.S_ISREG(mode)


def _write_into(descriptor, data):
    with open(descriptor, "wb") as stream:
        stream.write(data)
