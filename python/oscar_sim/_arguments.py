"""Numbers and tuples of calls, checked before the C++ side sees them."""

import operator
from collections.abc import Iterable
from typing import Any, Optional

RANKS = 4096  #: the most that an experiment can have


def whole(value: Any, what: str, least: int, most: int) -> int:
    """`value`, a whole number of any type. TypeError: it is none. ValueError: not from `least` to `most`."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{what}: a whole number is wanted, not {value!r}") from None
    if not least <= number <= most:
        raise ValueError(f"{what}: {number} is out of range; choose {least} to {most}")
    return number


def tiles(tensors: Optional[Iterable[Any]], *parts: str) -> Optional[list[tuple[int, ...]]]:
    """The tensors of a gradient, each a tuple of `parts`, such as (begin, end). TypeError: they are none."""
    if tensors is None:
        return None
    wanted = f"tensors: a list of tuples ({', '.join(parts)}) is wanted"
    try:
        rows = [tuple(tensor) for tensor in tensors]
    except TypeError:
        raise TypeError(f"{wanted}, not {tensors!r}") from None
    for row in rows:
        if len(row) != len(parts):
            raise TypeError(f"{wanted}; there is {row!r}")
    return [
        tuple(whole(number, f"tensors: {part}", 0, 2**32 - 1) for number, part in zip(row, parts)) for row in rows
    ]
