"""Files that a user names, read whole: only regular files, only up to a size, only text and JSON that can be parsed.

A pipe or a device would be read for ever, a small gzip file may hold terabytes, and Python's parser of JSON ends in a
RecursionError where a file is nested without end. Each of these is an InputError of one line.
"""

import errno
import json
import os
import stat
import zlib

from .command import InputError

MIB = 1 << 20
GZIP = b"\x1f\x8b"
NO_FILE = (errno.ELOOP, errno.ENXIO, errno.ENAMETOOLONG)  # a circle of links, a socket, a name too long


def content(path, what, most=512 * MIB):
    """The bytes of a regular file of at most `most`, decompressed if gzip has compressed it. `what` names, in errors,
    the file that is wanted: "a trace". OSError: it cannot be opened."""
    data = _regular(path, what, most)
    return decompressed(data, path, what, most) if data[:2] == GZIP else data


def _regular(path, what, most):
    descriptor = _opened(path, what)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            kind = "a folder" if stat.S_ISDIR(status.st_mode) else "a pipe or a device"
            raise InputError(f"{path}: is {kind}; name {what}")
        with open(descriptor, "rb", closefd=False) as file:
            data = b"" if status.st_size > most else file.read(most + 1)
    finally:
        os.close(descriptor)
    if status.st_size > most or len(data) > most:
        raise InputError(f"{path}: is larger than {_size(most)}; name {what}")
    return data


def _opened(path, what):
    try:
        return os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # a pipe that nobody writes would wait
    except OSError as error:
        if error.errno not in NO_FILE:
            raise
        raise InputError(f"{path}: cannot be opened ({error.strerror.lower()}); name {what}") from None
    except ValueError:  # a zero byte in its name
        raise InputError(f"{str(path)!r}: no file has such a name; name {what}") from None


def decompressed(data, path, what, most):
    """What `data` of gzip holds, one member or several; at most `most` bytes."""
    parts, left = [], most
    try:
        while data:
            member = zlib.decompressobj(16 + zlib.MAX_WBITS)
            parts.append(member.decompress(data, left + 1))
            left -= len(parts[-1])
            if left < 0:
                raise InputError(f"{path}: holds more than {_size(most)}; name {what}")
            if not member.eof:
                raise InputError(f"{path}: is no whole gzip file (it ends early); name {what}")
            data = member.unused_data.lstrip(b"\0")  # gzip permits padding
    except zlib.error as error:
        raise InputError(f"{path}: is no whole gzip file ({error}); name {what}") from None
    return b"".join(parts)


def _size(size):
    return f"{size // MIB} MiB" if size >= MIB else f"{size} bytes"


def decoded(data, path, what):
    """`data` as UTF-8; a byte order mark is passed over."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line, column = 1 + data.count(b"\n", 0, error.start), error.start - data.rfind(b"\n", 0, error.start)
        raise InputError(f"{path}:{line}:{column}: is no UTF-8; name {what}") from None


def yaml_in(path, what, most=16 * MIB):
    """The value of a file of YAML. OSError: it cannot be opened."""
    import yaml  # only who reads YAML needs it

    try:
        return yaml.safe_load(decoded(content(path, what, most), path, what))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"{path}:{mark.line + 1}:{mark.column + 1}" if mark else path
        reason = " ".join(str(getattr(error, "problem", None) or error).split())
        raise InputError(f"{place}: is no YAML: {reason}; name {what}") from None
    except RecursionError:
        raise InputError(f"{path}: is nested too deeply; name {what}") from None
    except ValueError as error:  # a date or a number that there is not
        raise InputError(f"{path}: is no YAML: {' '.join(str(error).split())}; name {what}") from None


def json_of(text, path, what, **hooks):
    """The value of a text of JSON; `hooks` are those of json.loads."""
    try:
        return json.loads(text, **hooks)
    except json.JSONDecodeError as error:
        reason = error.msg[:1].lower() + error.msg[1:]
        raise InputError(f"{path}:{error.lineno}:{error.colno}: {reason}; name {what}") from None
    except RecursionError:
        raise InputError(f"{path}: is nested too deeply; name {what}") from None
    except (ValueError, ArithmeticError):  # Python converts at most 4,300 digits, and exponents of 18
        raise InputError(f"{path}: holds a number of too many digits; name {what}") from None
