"""What the user says about the training run, for trace.yaml."""

from dataclasses import dataclass, fields
from typing import Optional

from .error import CaptureError

NOT_STATED = "not stated"


@dataclass(frozen=True)
class About:
    """Texts and numbers of trace.yaml that no recorder can know; what is None is left out."""

    name: str = ""  # of the trace; its folder's name if empty
    model: str = NOT_STATED  # in words
    data: str = NOT_STATED  # name of the data set
    licence: str = NOT_STATED  # of the data set
    source: str = NOT_STATED  # where the data set comes from
    optimiser: str = NOT_STATED  # with its settings, in words
    batch_per_rank: Optional[int] = None  # samples per rank and step
    seed: Optional[int] = None
    framework: str = ""  # PyTorch's version, backend and device if empty
    values: str = ""  # what a value is; a plain description if empty


def about(given):
    """About from keyword arguments; CaptureError names the one that is wrong."""
    known = {field.name: field for field in fields(About)}
    for key, value in given.items():
        if key not in known:
            raise CaptureError(f"unknown argument {key!r}; known are {', '.join(known)}")
        if key in ("batch_per_rank", "seed"):
            if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
                raise CaptureError(f"{key} must be a whole number of at least 0, not {value!r}")
        elif not isinstance(value, str):
            raise CaptureError(f"{key} must be a text, not {value!r}")
    return About(**given)
