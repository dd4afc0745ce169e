"""A standard-cell library in the Liberty format: its units, its cells, and a copy without those not to be used.

Only what the flow itself needs is read; delays and powers are left to OpenSTA. Areas are taken as um2, which Liberty
does not say but all libraries mean.
"""

import fnmatch
import math
import re
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from oscar_summary import user_file
from oscar_summary.command import InputError

from . import logic

WHAT = "a Liberty file with --liberty FILE"
MOST = 512 * user_file.MIB
DEEPEST = 100  # groups in each other; a library has eight
TIME = {"fs": 1e-3, "ps": 1.0, "ns": 1e3, "us": 1e6}  # in ps
CAPACITANCE = {"ff": 1.0, "pf": 1e3}  # in fF
POWER = {"fw": 1e-9, "pw": 1e-6, "nw": 1e-3, "uw": 1.0, "mw": 1e3}  # in uW
VOLTAGE = {"mv": 1e-3, "v": 1.0}  # in V

# Each is tried at each place of a text of many MiB: a name is bounded, and nothing is read twice.
NAME = r'\s*"?([^",)\s]{1,256})"?\s*'
CELL = re.compile(rf"^[ \t]*cell\s*\({NAME}\)\s*\{{", re.MULTILINE)
PIN = re.compile(rf"\bpin\s*\({NAME}\)\s*\{{")
FLIP_FLOP = re.compile(rf"\bff\s*\({NAME},{NAME}\)\s*\{{")
LIBRARY = re.compile(rf"\blibrary\s*\({NAME}\)\s*\{{")
TABLE = re.compile(r"\b(?:values|index_\d)\s*\([^;]*(?:;|\Z)")  # nine tenths of a library
BRACE = re.compile(r"[{}]")
LIMITS = ("capacitance", "max_capacitance")  # numbers of a pin that the flow takes


class Wrong(Exception):
    """What is wrong at a place of a text; `at`: where."""

    def __init__(self, what, at):
        super().__init__(what)
        self.at = at


def attribute(text, name):
    """The value of `name : value;` where it comes first, or None. Some libraries end it with the line alone."""
    found = re.search(rf'\b{name}\s*:\s*(?:"([^"\n]*)|([^";\n]*))', text)
    return found and (found[1] if found[1] is not None else found[2]).strip()


def number(text, name):
    """The number `name` of a group, 0 or more, or None where it has none. ValueError: it is none."""
    said = attribute(text, name)
    if said is None:
        return None
    try:
        value = float(said)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise ValueError(f"{name} is {said[:40]!r}, no number of 0 or more")
    return value


def without_comments(text):
    """The text without comments, whose lines stay. Wrong: one does not end."""
    parts, at = [], 0
    while (begin := text.find("/*", at)) >= 0:
        end = text.find("*/", begin + 2)
        if end < 0:
            raise Wrong("a comment does not end", begin)
        parts += [text[at:begin], "\n" * text.count("\n", begin, end)]
        at = end + 2
    return "".join([*parts, text[at:]])


def end_of_group(text, start):
    """Where the group ends that `start`, behind its brace, is in. Wrong: it does not end, or is too deep."""
    depth = 1
    for brace in BRACE.finditer(text, start):
        depth += 1 if brace[0] == "{" else -1
        if not depth:
            return brace.end()
        if depth > DEEPEST:
            raise Wrong(f"more than {DEEPEST} groups in each other", brace.start())
    raise Wrong("a group does not end", start)


@dataclass
class Cell:
    name: str
    text: str  # without tables
    start: int
    end: int

    @cached_property
    def area(self):
        return number(self.text, "area") or 0

    @cached_property
    def flip_flop(self):
        """{"state", "inverse", "next_state", "clocked_on", "clear", "preset"} of a flip-flop, or None."""
        found = FLIP_FLOP.search(self.text)
        if not found:
            return None
        body = self.text[found.end() : end_of_group(self.text, found.end()) - 1]
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
        if self.special:
            return self.special
        named = {name for function in self.functions.values() for name in logic.names(function)}
        return None if named <= self.known_names else "unknown pins"

    @cached_property
    def special(self):
        """Why the cell is none that keeps a plain bit or computes one, or None."""
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

    @cached_property
    def known_names(self):
        """What a function may name: pins, and the state of a flip-flop."""
        held = self.flip_flop or {"state": None, "inverse": None}
        return {*self.pins, held["state"], held["inverse"]}

    def check(self):
        """Wrong or ValueError: the flow could not use what the cell says of itself."""
        number(self.text, "area")
        for text in self.pins.values():
            for name in LIMITS:
                number(text, name)
        for pin, function in self.functions.items():
            checked(f"function of pin {pin}", function)
        for key in ("next_state", "clocked_on", "clear", "preset") if self.flip_flop else ():
            said = self.flip_flop[key]
            if said is None and key in ("next_state", "clocked_on"):
                raise ValueError(f"a flip-flop without {key}")
            known = set(self.pins) if key == "next_state" else self.known_names
            if said is not None and not set(checked(key, said)) <= known:
                raise ValueError(f"{key} is {said[:40]!r}, whose pins the cell has not")


def checked(what, expression):
    """The names of an expression. ValueError: it is none, and what it is of."""
    try:
        logic.template(expression)
    except logic.NoExpression as error:
        raise ValueError(f"{what} is {expression[:40]!r}: {error}") from None
    return logic.names(expression)


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
        return self.is_left_out(cell) or bool(cell.unusable)

    def is_left_out(self, cell):
        """Whether the user leaves the cell out."""
        return any(fnmatch.fnmatchcase(cell.name, pattern) for pattern in self.dont_use)

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
    names = logic.names(function)
    if len(names) != 2:
        return False
    run = logic.compiled(function, names)
    return [run(*bits) & 1 for bits in ((0, 0), (0, 1), (1, 0), (1, 1))] == [1, 1, 1, 0]


def scaled(text, name, units):
    """A unit like "1ps" or "(1,ff)" in the base of `units`. ValueError: it is none."""
    complex_one = re.search(rf"\b{name}\s*\(\s*\"?([\d.eE+-]{{1,40}})\"?\s*,\s*\"?(\w{{1,40}})\"?\s*\)", text)
    said = "".join(complex_one.groups()) if complex_one else attribute(text, name)
    found = re.fullmatch(r"([\d.eE+-]+)\s*([A-Za-z]+)", (said or "")[:80])
    try:
        size = float(found[1]) * units[found[2].lower()]
    except (TypeError, ValueError, KeyError):
        size = 0.0
    if not 0 < size < math.inf:
        known = ", ".join(units)
        raise ValueError(f"{name} is {(said or 'missing')[:40]}, of which no unit is known ({known}); is this Liberty?")
    return size


def read(file, dont_use=()):
    """The library of a file, which may be compressed by gzip; InputError if it is none that can be used."""
    file = Path(file)
    if not file.exists():
        raise InputError(f"{file}: no such library; name {WHAT}")
    text = user_file.content(file, WHAT, MOST).decode(errors="replace")
    try:
        text = without_comments(text)
        made = parsed(file, text, dont_use)
        check(made)
    except Wrong as error:
        line = 1 + text.count("\n", 0, error.at)
        raise InputError(f"{file}:{line}: {' '.join(str(error).split())}; name a whole library") from None
    if not any(cell.flip_flop for cell in made.used().values()):
        raise InputError(f"{file}: has no flip-flop that may be used; name a whole library, or fewer with --dont-use")
    return made


def parsed(file, text, dont_use):
    """The library of a text without comments. Wrong, InputError."""
    library = LIBRARY.search(text)
    if not library:
        raise InputError(f"{file}: is no Liberty file: no group library (NAME) in it; name another with --liberty FILE")
    cells = {}
    for found in CELL.finditer(text):
        end = end_of_group(text, found.end())
        cells[found[1]] = Cell(found[1], TABLE.sub("", text[found.end() : end]), found.start(), end)
    head = text[: min((cell.start for cell in cells.values()), default=len(text))]
    kinds = {"time": TIME, "capacitive_load": CAPACITANCE, "leakage_power": POWER, "voltage": VOLTAGE}
    try:
        units = [scaled(head, f"{name}_unit", units) for name, units in kinds.items()]
    except ValueError as error:
        raise Wrong(str(error), library.start()) from None
    return Library(file, library[1], text, cells, *units, tuple(dont_use))


def check(library):
    """Wrong at the first cell that the flow may use and that says what it cannot take."""
    for name, cell in library.cells.items():
        try:
            if not library.is_left_out(cell) and not cell.special:
                cell.check()
        except (Wrong, ValueError) as error:
            raise Wrong(f"cell {name}: {error}", cell.start) from None
