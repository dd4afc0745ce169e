"""What pages claim in numbers, and what gives each of them.

A claim is a piece of text, as it stands on a page but for line breaks, with `#` for each number that a formula gives,
and the values of these numbers. Numbers that are written out in the piece (ranks, links, sizes) are those of the rows
that the formulas choose.
"""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"
NAMES = (
    r"ResNet-50",
    r"GPT-2",
    r"VGG-16",
    r"PCIe 5 x16",
    r"fp32|bf16|fp16",
    r"[AV]100",
    r"int8",
    r"L2",
    r"ns-3",
    r"10\^\d+",
)  # numbers in names


@dataclass(frozen=True)
class Claim:
    text: str
    values: tuple


def claim(text, *values):
    """A Claim. Values that are lists or tuples are several numbers."""
    flat = []
    for value in values:
        flat += value if isinstance(value, (list, tuple)) else [value]
    if text.count("#") != len(flat):
        raise ValueError(f"{text.count('#')} numbers, {len(flat)} values: {text}")
    return Claim(text, tuple(flat))


def section(page, title):
    """A section of a page, without its heading."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)[1]


def as_written(value, written):
    """A value with as many decimals, and commas if it has them, as the number on the page."""
    decimals = len(written.partition(".")[2])
    return f"{value:,.{decimals}f}" if "," in written else f"{value:.{decimals}f}"


def without_names(text):
    """The text with the numbers in names, and in links and code, replaced by as many letters."""
    for name in (r"\]\([^)]*\)", r"`[^`]*`", *NAMES):
        text = re.sub(name, lambda found: re.sub(r"\d", "x", found[0]), text)
    return text


def mistakes(page, claims):
    """What is wrong on a page: pieces that are not there once, numbers that are not those of their formula,
    numbers without a formula."""
    text = without_names(" ".join(page.split()))
    found, covered = [], []
    for one in claims:
        pattern = re.compile(
            f"({NUMBER})".join(map(re.escape, without_names(one.text).split("#"))), re.IGNORECASE
        )  # it may begin a sentence
        places = list(pattern.finditer(text))
        if not places:
            found.append(f"not on the page: {one.text}")
        for place in places:
            covered.append(place.span())
            for written, value in zip(place.groups(), one.values):
                if written != as_written(value, written):
                    found.append(f"{written} is {value:.7g}: {one.text}")
    for number in re.finditer(rf"(?<![\w.]){NUMBER}", text):
        if not any(begin <= number.start() and number.end() <= end for begin, end in covered):
            found.append(f"no formula: {number[0]} in ...{text[max(0, number.start() - 60):number.end() + 40]}...")
    return found


def changed(page, text, width=4):
    """The page with each number of `text`, a part of it, changed in turn: its last digit is another one."""
    begin = page.index(text)
    for number in re.finditer(rf"(?<![\w.]){NUMBER}", without_names(text)):
        at = begin + number.end() - 1
        yield number[0], page[:at] + str((int(page[at]) + width) % 10) + page[at + 1 :]
