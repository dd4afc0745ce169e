"""Numbers with units, as sweeps write them: 25Gbps, 64KiB, 500ns, 99.9.

The units are those of the program (KB, GBps), some of which Pint does not know or reads otherwise,
and their spelling is that of labels.
"""

import re

# Of each unit: what it measures, its size in the smallest, and how a label spells it.
UNITS = {
    "": ("number", 1, ""),
    "ps": ("time", 1, "ps"),
    "ns": ("time", 1e3, "ns"),
    "us": ("time", 1e6, "µs"),
    "µs": ("time", 1e6, "µs"),
    "μs": ("time", 1e6, "µs"),
    "ms": ("time", 1e9, "ms"),
    "s": ("time", 1e12, "s"),
    "B": ("size", 1, "B"),
    "KB": ("size", 1e3, "kB"),
    "MB": ("size", 1e6, "MB"),
    "GB": ("size", 1e9, "GB"),
    "KiB": ("size", 2**10, "KiB"),
    "MiB": ("size", 2**20, "MiB"),
    "GiB": ("size", 2**30, "GiB"),
    "Mbit/s": ("rate", 1, "Mbit/s"),
    "Gbit/s": ("rate", 1e3, "Gbit/s"),
    "Tbit/s": ("rate", 1e6, "Tbit/s"),
    "Mbps": ("rate", 1, "Mbit/s"),
    "Gbps": ("rate", 1e3, "Gbit/s"),
    "Tbps": ("rate", 1e6, "Tbit/s"),
    "MBps": ("rate", 8, "MB/s"),
    "GBps": ("rate", 8e3, "GB/s"),
    "MB/s": ("rate", 8, "MB/s"),
    "GB/s": ("rate", 8e3, "GB/s"),
    "kHz": ("frequency", 1, "kHz"),
    "MHz": ("frequency", 1e3, "MHz"),
    "GHz": ("frequency", 1e6, "GHz"),
}
PATTERN = re.compile(r"(-?\d+(?:\.\d+)?(?:e[-+]?\d+)?)\s*([A-Za-zµμ/]*)")


def split(text):
    """(number, unit) of a quantity, or None if the text is none."""
    match = PATTERN.fullmatch(str(text).strip())
    return (float(match[1]), match[2]) if match and match[2] in UNITS else None


def in_common_unit(texts):
    """(numbers, spelling of their unit) in the unit of the first text; None if they are not quantities of one kind."""
    parts = [split(text) for text in texts]
    if None in parts or len({UNITS[unit][0] for _, unit in parts}) != 1:
        return None
    _, size, spelling = UNITS[parts[0][1]]
    return [number * UNITS[unit][1] / size for number, unit in parts], spelling


def spelled(text):
    """A quantity as prose has it, 400 Gbit/s for 400Gbps; another text as it is."""
    parts = split(text)
    return f"{parts[0]:g} {UNITS[parts[1]][2]}".strip() if parts else str(text)
