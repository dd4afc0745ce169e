"""oscar-sim on a terminal and in a pipe, for tests of how it looks and behaves there."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = str(ROOT / os.environ.get("OSCAR_BUILD", "build/release") / "oscar-sim")
DEMO = ("run", "configs/experiments/demo.yaml")
QUICK = ("run", str(ROOT / "configs/experiments/synthetic.yaml"), "--set", "size=64KiB")
SEQUENCE = re.compile(r"\x1b\[[0-9;]*[mK]")


def environment(**more):
    return (
        {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "NO_COLOR")}
        | {"TERM": "xterm"}
        | more
    )


def piped(*arguments, cwd=ROOT, **more):
    return subprocess.run(
        [PROGRAM, *arguments], cwd=cwd, env=environment(**more), capture_output=True, text=True, check=False
    )


def need_terminals():
    """Skips a module of tests where the host has no pseudo-terminals: its setUpModule."""
    try:
        for end in pty.openpty():
            os.close(end)
    except OSError as error:
        raise unittest.SkipTest(f"no pseudo-terminals here; mount /dev/pts ({error})") from error


class Terminal:
    """The program on a terminal of so many columns."""

    def __init__(self, columns, *arguments, cwd=ROOT, **more):
        self._screen, program = pty.openpty()
        fcntl.ioctl(program, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        self.process = subprocess.Popen(
            [PROGRAM, *arguments], cwd=cwd, env=environment(**more), stdin=program, stdout=program, stderr=program
        )
        os.close(program)
        self.text = ""

    def _read(self):
        try:
            part = os.read(self._screen, 1 << 16)
        except OSError:  # the program has ended
            part = b""
        self.text += part.decode(errors="replace")
        return bool(part)

    def read_until(self, pattern):
        while not re.search(pattern, self.text) and self._read():
            pass
        return self

    def read_to_end(self):
        while self._read():
            pass
        os.close(self._screen)
        self.process.wait()
        return self

    def lines(self):
        """What stood in each line, for progress all that ever did, without sequences."""
        return [SEQUENCE.sub("", part) for line in self.text.split("\n") for part in line.split("\r")]
