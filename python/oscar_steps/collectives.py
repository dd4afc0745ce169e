"""Collectives in the trace of PyTorch's profiler: what each kernel of NCCL or RCCL did, in which process group.

Newer versions describe a collective at its kernel, older ones only at the operation of the host that started it,
record_param_comms, which has the kernel's External id or lasts while the kernel is launched.
"""

import bisect
import re
from dataclasses import dataclass
from decimal import Decimal

from oscar_steps.step import plain

RECORD = "record_param_comms"
KINDS = (  # of a name without its underscores; the first that it contains
    ("reducescatter", "reduce_scatter"),
    ("allreduce", "all_reduce"),
    ("allgather", "all_gather"),
    ("alltoall", "all_to_all"),
    ("broadcast", "broadcast"),
    ("sendrecv", "send_recv"),
    ("reduce", "reduce"),
    ("gather", "gather"),
    ("scatter", "scatter"),
    ("send", "send_recv"),
    ("recv", "send_recv"),
    ("barrier", "barrier"),
)
LIBRARIES = re.compile(r"nccl|rccl", re.IGNORECASE)


@dataclass(frozen=True)
class Group:
    """A process group; None is what the file does not say. `ranks`: a text like "[0, 2, 4, 6]"."""

    name: str = None
    description: str = None
    ranks: str = None
    size: int = None

    @property
    def known(self):
        return any((self.name, self.ranks, self.size))

    def named(self, text):
        """Whether a user calls it so."""
        return text in (self.name, self.description, self.ranks, str(self.size))

    def __str__(self):
        about = [part for part in (self.description, self.ranks, f"{self.size} ranks" if self.size else None) if part]
        return f"{self.name or 'without a name'} ({', '.join(about)})" if about else str(self.name or "unknown")


@dataclass(frozen=True)
class Collective:
    """`values`: of the whole gradient, None where the file does not say; `launch`: when the host started it, in ns."""

    kind: str
    values: int
    group: Group
    launch: int


def kind_of(*names):
    """The kind that the first telling of some names has, the first name where none tells, or "unnamed"."""
    for name in names:
        letters = name.lower().replace("_", "")
        for word, kind in KINDS:
            if word in letters:
                return kind
    return next((plain(name, 40) for name in names if plain(name, 40)), "unnamed")


def arguments(event):
    """The arguments of an event; none where they are null."""
    found = event.get("args")
    return found if isinstance(found, dict) else {}


def external_id(event):
    """The number that joins a kernel and the operation that launched it, or None."""
    found = arguments(event)
    number = found.get("External id", found.get("external id"))
    return number if isinstance(number, int) else None


def is_communication(kernel):
    """Whether a kernel is of a library of collectives."""
    return bool(LIBRARIES.search(str(kernel.get("name", "")))) or "Collective name" in arguments(kernel)


def whole(value):
    """A whole number from 0 to 2^62, also of a text; else None."""
    try:
        number = Decimal(value) if isinstance(value, (int, str, Decimal)) and not isinstance(value, bool) else None
        return int(number) if number is not None and 0 <= number < 1 << 62 else None
    except ArithmeticError:
        return None


def _text(value):
    return plain(value, 200) or None if value is not None else None


def _group(found):
    return Group(
        _text(found.get("Process Group Name")),
        _text(found.get("Process Group Description")),
        _text(found.get("Process Group Ranks")),
        whole(found.get("Group size")),
    )


def _values(found):
    """The values of a collective: those of its input, or of the shapes of its tensors."""
    said = whole(found.get("In msg nelems"))
    return said if said is not None else _elements(found.get("Input Dims"))


def _elements(shapes):
    """Elements of the first input that has any: of a shape like [4, 5], or of a list of shapes; None: no shape."""
    for shape in shapes if isinstance(shapes, list) else ():
        found = _product(shape)
        if found:
            return found
    return None


def _product(shape):
    if not isinstance(shape, list) or not shape:
        return None
    if all(isinstance(one, list) for one in shape):
        parts = [_product(one) for one in shape]
        return sum(part for part in parts if part) or None
    total = 1
    for one in shape:
        size = whole(one)
        if size is None:
            return None
        total *= size
    return total


class Records:
    """The operations record_param_comms of the host: by External id, and by when they last."""

    def __init__(self, events, time):
        """`time`: of an event and a key, in ns."""
        self.by_id, self.spans = {}, []
        for event in events:
            if event.get("name") != RECORD:
                continue
            number = external_id(event)
            if number is not None:
                self.by_id.setdefault(number, event)
            begin = time(event, "ts")
            self.spans.append((begin, begin + time(event, "dur"), len(self.spans), event))
        self.spans.sort(key=lambda span: span[:3])
        self.begins = [span[0] for span in self.spans]

    def __len__(self):
        return len(self.spans)

    def of(self, kernel, launch):
        """The operation that started a kernel, or None. `launch`: None where the file does not tell it."""
        number = external_id(kernel)
        if number in self.by_id:
            return self.by_id[number]
        last = bisect.bisect_right(self.begins, launch) - 1 if launch is not None else -1
        return self.spans[last][3] if last >= 0 and launch <= self.spans[last][1] else None


def collective_of(kernel, launch, record):
    """The collective of a kernel that the host launched at `launch`; `record`: its record_param_comms, or None."""
    told = [*(arguments(record) if record else {}).items(), *arguments(kernel).items()]
    found = {key: value for key, value in told if value not in (None, "")}
    described = str(found.get("Collective name") or "") or _concrete_name(found)
    return Collective(kind_of(described, str(kernel.get("name", ""))), _values(found), _group(found), launch)


def _concrete_name(found):
    """Versions before 2.2 have the name among the inputs, which are texts."""
    inputs = found.get("Concrete Inputs")
    names = [one for one in inputs if isinstance(one, str)] if isinstance(inputs, list) else []
    return next((name for name in names if kind_of(name) in dict(KINDS).values()), "")
