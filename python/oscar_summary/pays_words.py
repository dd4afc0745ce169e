"""Names, numbers and phrases that the parts of results/where-it-pays/SUMMARY.md share."""

from . import geometric, ordered, where
from .causes import limiter

LINK, DMA, FORM, SCALE = "network.link.bandwidth", "gpu.dma_bandwidth", "gpu.gradients", "scale"
BEST, PLAIN, CODER = "oscar-hw", "fixed_point", "asc-balanced"
CODERS = (CODER, "asc-equal-bits")   # on the grid: chunks of equal time, and of equal coded size
BUSES = {"461Gbps": "PCIe 5 x16", "888Gbps": "PCIe 6 x16", "3600Gbps": "NVLink-C2C (256 lanes)"}   # else 128
SIZES = {1: "1.6 MiB", 4: "6.25 MiB", 16: "25 MiB", 64: "100 MiB"}   # what a window of 409,600 fp32 values stands for
FORMS = {"codes": "codes made by the GPU", "fp32": "fp32 over DMA"}
GAIN = 1.01   # a method that is less than 1 % faster does not pay


def gbps(rate):
    """The number of a rate like 400Gbps."""
    return float(rate.removesuffix("Gbps"))


def figures(rows, figure):
    return [row[figure] for row in rows]


def over(rows, baseline):
    return figures(rows, f"speedup.{baseline}")


def mean(rows, baseline):
    return f"{geometric(over(rows, baseline)):.2f}"


def stops_at(rows, baseline):
    """The least rate of links in rows at which the method is not at least 1 % faster than the baseline; None: it is at all."""
    return next((row[LINK] for row in sorted(rows, key=lambda row: gbps(row[LINK])) if row[f"speedup.{baseline}"] < GAIN), None)


def ends(rows, baseline):
    """stops_at() as a cell of a table."""
    rate = stops_at(rows, baseline)
    return f"{gbps(rate):g}" if rate else f"above {max(gbps(row[LINK]) for row in rows):g}"


def estimate(row):
    """Break-even rate over fp32 as a report has it. It holds near the link of the run: beyond twice its rate only that is said."""
    rate, link = row["break_even_bandwidth_gbps"], gbps(row[LINK])
    if row["method"] == "fp32":
        return "-"
    return f"{rate:,.0f}" if rate is not None and rate <= 2 * link else f"above {2 * link:g}"


def relation(rows, baseline):
    """How fast the method is beside a baseline, in words."""
    ratio = geometric(over(rows, baseline))
    return f"{ratio:.2f} times as fast as `{baseline}`" if abs(ratio - 1) >= 0.005 else f"as fast as `{baseline}` ({ratio:.2f})"


def claim(rows, what, *baselines):
    """Ratios with their baselines, size, ranks, link and limiter."""
    relations = " and ".join(relation(rows, baseline) for baseline in baselines)
    return f"On {what} at {gbps(rows[0][LINK]):g} Gbit/s `{BEST}` is {relations}; its limiter is {limiter(rows)}"


def of_each(rows, key, names=None):
    """How many rows have each value of a key, in words."""
    return ", ".join(f"{len(where(rows, **{key: value}))} at {names[value] if names else value}" for value in ordered(rows, key))
