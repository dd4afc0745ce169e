"""What no file may make a program do, and a script neither."""

import re
from dataclasses import dataclass

LIMIT = 20.0  # seconds

# Words of libraries and of Python's own, which tell a user neither the place nor the remedy.
FOREIGN = re.compile(
    r"\[json\.exception|yaml-cpp|YAML::|terminate called|what\(\):|Traceback|std::|basic_string|vector::|bad_alloc|"
    r"Segmentation|AddressSanitizer|runtime error:|\(E\d+\)|In file:|Assertion"
)
# Words by which a run says that it takes long.
ANNOUNCED = re.compile(r"\babout \d|\d+ ?%|takes|will take|min\b")


@dataclass(frozen=True)
class Outcome:
    """How one input ended. `status`: as subprocess has it, negative for a signal; None: not within the limit."""

    status: object
    output: str
    errors: str
    seconds: float


def problem(outcome, echoed=""):
    """Why an outcome is wrong, in a word or two; None if it is fine. `echoed`: the input as text, whose own words may
    come back."""
    if outcome.status is None or outcome.seconds > LIMIT:
        return None if ANNOUNCED.search(outcome.errors) else "over 20 s in silence"
    if outcome.status < 0 or outcome.status >= 128:
        return f"signal {abs(outcome.status) % 128}"
    for word in FOREIGN.findall(outcome.errors):
        if word not in echoed:
            return f"words of a library: {word}"
    if outcome.status == 1:
        return "exit 1"
    if outcome.status == 2 and len(outcome.errors.strip().splitlines()) != 1:
        return "exit 2 without its one line"
    return None if outcome.status in (0, 2, 3) else f"exit {outcome.status}"
