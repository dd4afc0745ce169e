"""Names, numbers and phrases that the parts of results/where-it-pays/SUMMARY.md share."""

from functools import lru_cache
from pathlib import Path

import yaml

from . import geometric, ordered, where
from .causes import limiter

ROOT = Path(__file__).resolve().parents[2]
LINK, DMA, FORM, SCALE = "network.link.bandwidth", "gpu.dma_bandwidth", "gpu.gradients", "scale"
ERROR = "relative_l2_error"
BEST, PLAIN, CODER = "oscar-hw", "fixed_point", "asc-balanced"
BASELINES = ("fp32", "bf16", PLAIN, "atalanta-balanced", "rans-classes")   # beside which each claim sets the best method
CODERS = (CODER, "asc-equal-bits")   # on the grid: chunks of equal time, and of equal coded size
SIZES = {1: "1.6 MiB", 4: "6.25 MiB", 16: "25 MiB", 64: "100 MiB"}   # what a window of 409,600 fp32 values stands for
FORMS = {"codes": "codes made by the GPU", "fp32": "fp32 over DMA"}
GAIN = 1.01   # a method that is less than 1 % faster does not pay


@lru_cache
def config(name):
    """configs/NAME.yaml."""
    return yaml.safe_load((ROOT / f"configs/{name}.yaml").read_text(encoding="utf-8"))


def part(name):
    """The rate of the DMA of a part of configs/parts."""
    return config(f"parts/{name}")["gpu"]["dma_bandwidth"]


PCIE5 = part("pcie5-x16")
BUSES = {PCIE5: "PCIe 5 x16", part("pcie6-x16"): "PCIe 6 x16", part("nvlink-c2c"): "NVLink-C2C (256 lanes)"}   # else 128


def quantiser_words(quantiser):
    """A quantiser of a configuration, like "8 bits with one scale at the 99.9th percentile"."""
    scales = {"max": "one scale from the largest magnitude", "percentile": "one scale at the {percentile}th percentile",
              "per_tensor": "a scale per tensor from its largest magnitude",
              "per_tensor_percentile": "a scale per tensor at its {percentile}th percentile"}
    return f"{quantiser.get('bits', 8)} bits with " + scales[quantiser["kind"]].format(percentile=quantiser.get("percentile", 99.9))


def gbps(rate):
    """The number of a rate like 400Gbps."""
    return float(rate.removesuffix("Gbps"))


def figures(rows, figure):
    return [row[figure] for row in rows]


def over(rows, baseline):
    return figures(rows, f"speedup.{baseline}")


def ranged(values, form):
    """Geometric mean (least-most) of figures as text; where they are the same as text, only that."""
    mean_of, least, most = map(form, (geometric(values), min(values), max(values)))
    return least if least == most else f"{mean_of} ({least}-{most})"


def factors(ratios):
    """ranged() with two decimals."""
    return ranged(ratios, "{:.2f}".format)


def mean(rows, baseline):
    """ranged() of the speed-ups over a baseline."""
    return factors(over(rows, baseline))


def error(rows):
    """ranged() of the relative L2 errors of the sums."""
    return ranged(figures(rows, ERROR), small)


def small(value):
    """An error with three decimals, or, where those say nothing, as a power of ten."""
    return f"{value:.3f}" if value >= 0.001 else f"{value:.0e}"


def times(rows):
    """ranged() of the times, us."""
    return ranged([time / 1e6 for time in figures(rows, "allreduce_ps")], "{:.0f}".format)


def bits(rows):
    """ranged() of the bits a value."""
    return factors(figures(rows, "bits_per_value"))


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


def there(rows, baselines):
    """Those of the baselines that the points of the rows have."""
    return [baseline for baseline in baselines if all(f"speedup.{baseline}" in row for row in rows)]


def claim(rows, what, *baselines):
    """Ratios of the rows of one method with their baselines, size, ranks, link, error and limiter, in a sentence without its stop."""
    name, = ordered(rows, "method")
    found = [f"{mean(rows, baseline)} times as fast as `{baseline}`" for baseline in there(rows, baselines)]
    ratios = ", ".join(found[:-1]) + " and " * (len(found) > 1) + found[-1]
    return (f"At {gbps(rows[0][LINK]):g} Gbit/s, {what}, `{name}` is {ratios}, with an error of {error(rows)} and {bits(rows)} bits a value, "
            f"limited by {limiter(rows)}")


def of_each(rows, key, names=None):
    """How many rows have each value of a key, in words."""
    return ", ".join(f"{len(where(rows, **{key: value}))} at {names[value] if names else value}" for value in ordered(rows, key))
