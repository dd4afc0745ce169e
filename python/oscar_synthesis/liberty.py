"""A standard-cell library in the Liberty format: its units, its cells, and a copy without those not to be used.

Only what the flow itself needs is read; delays and powers are left to OpenSTA. Areas are taken as um2, which Liberty
does not say but all libraries mean.
"""

import fnmatch
import gzip
import re
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from oscar_summary.command import InputError

TIME = {"fs": 1e-3, "ps": 1.0, "ns": 1e3, "us": 1e6}  # in ps
CAPACITANCE = {"ff": 1.0, "pf": 1e3}  # in fF
POWER = {"fw": 1e-9, "pw": 1e-6, "nw": 1e-3, "uw": 1.0, "mw": 1e3}  # in uW
VOLTAGE = {"mv": 1e-3, "v": 1.0}  # in V

CELL = re.compile(r'^[ \t]*cell\s*\(\s*"?([^")\s]+)"?\s*\)\s*\{', re.MULTILINE)
PIN = re.compile(r'\bpin\s*\(\s*"?([^")\s]+)"?\s*\)\s*\{')
FLIP_FLOP = re.compile(r'\bff\s*\(\s*"?([^",)\s]+)"?\s*,\s*"?([^",)\s]+)"?\s*\)\s*\{')
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
TABLE = re.compile(r"\b(?:values|index_\d)\s*\([^;]*;")  # nine tenths of a library


def attribute(text, name):
    """The value of `name : value;` where it comes first, or None. Some libraries end it with the line alone."""
    found = re.search(rf'\b{name}\s*:\s*"?([^";\n]*?)"?[ \t]*(?:;|$)', text, re.MULTILINE)
    return found and found[1].strip()


def end_of_group(text, start):
    """Where the group ends that `start`, behind its brace, is in."""
    depth = 1
    for brace in re.compile("[{}]").finditer(text, start):
        depth += 1 if brace[0] == "{" else -1
        if not depth:
            return brace.end()
    return len(text)


def group(text, pattern):
    """The body of the first group that the pattern opens, or None."""
    found = pattern.search(text)
    return found and text[found.end() : end_of_group(text, found.end()) - 1]


@dataclass
class Cell:
    name: str
    text: str  # without tables
    start: int
    end: int

    @cached_property
    def area(self):
        return float(attribute(self.text, "area") or 0)

    @cached_property
    def flip_flop(self):
        """{"state", "inverse", "next_state", "clocked_on", "clear", "preset"} of a flip-flop, or None."""
        found = FLIP_FLOP.search(self.text)
        if not found:
            return None
        body = self.text[found.end() : end_of_group(self.text, found.end())]
        keys = ("next_state", "clocked_on", "clear", "preset")
        return {"state": found[1], "inverse": found[2], **{key: attribute(body, key) for key in keys}}

    @cached_property
    def pins(self):
        """{name: text of its group} without those of a test cell."""
        text = re.sub(r"\btest_cell\s*\(.*", "", self.text, flags=re.DOTALL)
        return {found[1]: text[found.end() : end_of_group(text, found.end()) - 1] for found in PIN.finditer(text)}

    @cached_property
    def functions(self):
        """{output: its function}."""
        found = {pin: attribute(text, "function") for pin, text in self.pins.items()}
        return {pin: function for pin, function in found.items() if function is not None}

    @cached_property
    def unusable(self):
        """Why the flow must not use the cell, or None."""
        if attribute(self.text, "dont_use") == "true":
            return "dont_use"
        if "clock_gating_integrated_cell" in self.text:
            return "clock gate"
        if re.search(r"\b(latch|latch_bank|statetable)\s*\(", self.text):
            return "latch"
        if re.search(r"\btest_cell\s*\(", self.text):
            return "scan"
        if "three_state" in self.text:
            return "three-state"
        # A plain flip-flop takes one pin; a scan flip-flop without a test_cell is known by its multiplexer.
        if self.flip_flop and len(re.findall(r"[A-Za-z_]\w*", self.flip_flop["next_state"] or "")) > 1:
            return "scan"
        return None


@dataclass
class Library:
    file: Path
    name: str
    text: str
    cells: dict
    time_ps: float
    capacitance_ff: float
    leakage_uw: float
    voltage_v: float
    dont_use: tuple = field(default=())

    @cached_property
    def digest(self):
        return sha256(self.text.encode()).hexdigest()

    def excluded(self, cell):
        return bool(cell.unusable) or any(fnmatch.fnmatchcase(cell.name, pattern) for pattern in self.dont_use)

    def used(self):
        return {name: cell for name, cell in self.cells.items() if not self.excluded(cell)}

    def without_excluded(self):
        """The text of the library with the cells only that may be used."""
        parts, at = [], 0
        for cell in self.cells.values():
            if self.excluded(cell):
                parts.append(self.text[at : cell.start])
                at = cell.end
        return "".join(parts) + self.text[at:]

    @cached_property
    def gate_area(self):
        """Of the smallest NAND of two inputs: the unit in which gates are counted; None where there is no such cell."""
        areas = [cell.area for cell in self.used().values() if any(map(is_nand2, cell.functions.values()))]
        return min(areas) if areas else None


def is_nand2(function):
    """Whether a function is that of a NAND of two inputs, however it is written."""
    from . import logic

    names = logic.names(function)
    if len(names) != 2:
        return False
    run = logic.compiled(function, names)
    return [run(*bits) & 1 for bits in ((0, 0), (0, 1), (1, 0), (1, 1))] == [1, 1, 1, 0]


def scaled(file, text, name, units):
    """A unit like "1ps" or "(1,ff)" in the base of `units`; InputError if it is none."""
    complex_one = re.search(rf"\b{name}\s*\(\s*\"?([\d.eE+-]+)\"?\s*,\s*\"?(\w+)\"?\s*\)", text)
    said = "".join(complex_one.groups()) if complex_one else attribute(text, name)
    found = re.fullmatch(r"([\d.eE+-]+)\s*([A-Za-z]+)", said or "")
    if not found or found[2].lower() not in units:
        known = ", ".join(units)
        raise InputError(
            f"{file}: {name} is {said or 'missing'}, of which no unit is known ({known}); is this Liberty?"
        )
    return float(found[1]) * units[found[2].lower()]


def read(file, dont_use=()):
    """The library of a file, which may be compressed by gzip; InputError if it is none that can be used."""
    file = Path(file)
    if not file.is_file():
        raise InputError(f"{file}: no such library; name a Liberty file with --liberty FILE")
    try:
        data = file.read_bytes()
        text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode(errors="replace")
    except (OSError, EOFError) as error:
        raise InputError(f"{file}: is no whole gzip file ({error})") from None
    text = COMMENT.sub("", text)
    library = re.search(r'\blibrary\s*\(\s*"?([^")\s]+)"?\s*\)\s*\{', text)
    if not library:
        raise InputError(f"{file}: is no Liberty file: no group library (NAME) in it; name another with --liberty FILE")
    cells = {}
    for found in CELL.finditer(text):
        end = end_of_group(text, found.end())
        cells[found[1]] = Cell(found[1], TABLE.sub("", text[found.end() : end]), found.start(), end)
    head = text[: min((cell.start for cell in cells.values()), default=len(text))]
    made = Library(
        file,
        library[1],
        text,
        cells,
        scaled(file, head, "time_unit", TIME),
        scaled(file, head, "capacitive_load_unit", CAPACITANCE),
        scaled(file, head, "leakage_power_unit", POWER),
        scaled(file, head, "voltage_unit", VOLTAGE),
        tuple(dont_use),
    )
    if not any(cell.flip_flop for cell in made.used().values()):
        raise InputError(f"{file}: has no flip-flop that may be used; name a whole library, or fewer with --dont-use")
    return made
