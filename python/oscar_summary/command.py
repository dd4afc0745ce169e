"""How a script ends: wrong input is one line on stderr and status 2,
and a reader that closes its pipe early ends it in silence."""

import argparse
import errno
import os
import sys
from pathlib import Path

WRONG_INPUT = 2
CLOSED_PIPE = 141  # as a shell has it of a tool that SIGPIPE ends
REMEDIES = {
    errno.ENOENT: "name what is there",
    errno.ENOTDIR: "name a folder",
    errno.EEXIST: "name a folder",
    errno.EISDIR: "name a file",
    errno.EACCES: "choose a place that you may use",
    errno.EPERM: "choose a place that you may use",
}


class InputError(Exception):
    """The input is wrong; the text says where, what, and how to write it right."""


def why(error):
    """An OSError in one line: place, reason, remedy."""
    reason, place = error.strerror or str(error), error.filename2 or error.filename
    remedy = REMEDIES.get(error.errno)
    return (
        (f"{os.fsdecode(place)}: " if place is not None else "")
        + reason[:1].lower()
        + reason[1:]
        + (f"; {remedy}" if remedy else "")
    )


def at_least(least):
    """A type for argparse: whole numbers from `least` on."""

    def number(text):
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"a whole number of at least {least} is wanted, not {text!r}")
        return int(text)

    return number


def check_program(file):
    """InputError if the `file` (a Path) is no program."""
    if not file.is_file() or not os.access(file, os.X_OK):
        raise InputError(f"{file}: is no program; run scripts/demo, which builds it, or name one with --program FILE")


def check_folder(folder):
    """InputError if `folder` (a Path) is something else that is there."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder}: is no folder; name another with -o DIR")


def run(main):
    """The exit status of `main`, which is given the command line."""
    name = Path(sys.argv[0]).name
    try:
        status = main()
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what Python flushes at its end
        return CLOSED_PIPE
    except OSError as error:
        print(f"{name}: {why(error)}", file=sys.stderr)
    except InputError as error:
        print(f"{name}: {error}", file=sys.stderr)
    return WRONG_INPUT
