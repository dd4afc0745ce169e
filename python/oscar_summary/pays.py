"""What runs, figures and tests of results/where-it-pays share: keys of its files, the machine, quantisers."""

from functools import lru_cache
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "results/where-it-pays"
LINK, DMA, FORM, SCALE = "network.link.bandwidth", "gpu.dma_bandwidth", "gpu.gradients", "scale"
ERROR = "relative_l2_error"
BEST, PLAIN, CODER = "oscar-hw", "fixed_point", "asc-balanced"
GAIN = 1.01  # a method that is less than 1 % faster does not pay
DEFAULT_QUANTISER = ("per_tensor", 8)  # (kind, bits) of the program


@lru_cache
def config(name):
    """configs/NAME.yaml."""
    return yaml.safe_load((ROOT / f"configs/{name}.yaml").read_text(encoding="utf-8"))


PCIE5 = config("parts/pcie5-x16")["gpu"]["dma_bandwidth"]


@lru_cache
def names(key):
    """{value of a key: its name on the page}."""
    return yaml.safe_load((RESULTS / "tables.yaml").read_text(encoding="utf-8"))["names"][key]


def quantiser_words(quantiser):
    """A quantiser of a configuration, like "8 bits with one scale at the 99.9th percentile"."""
    scales = {
        "max": "one scale from the largest magnitude",
        "percentile": "one scale at the {percentile}th percentile",
        "per_tensor": "a scale per tensor from its largest magnitude",
        "per_tensor_percentile": "a scale per tensor at its {percentile}th percentile",
    }
    return f"{quantiser.get('bits', 8)} bits with " + scales[quantiser["kind"]].format(
        percentile=quantiser.get("percentile", 99.9)
    )


def gbps(rate):
    """The number of a rate like 400Gbps."""
    return float(rate.removesuffix("Gbps"))


def stops_at(rows, baseline):
    """The least rate of links at which rows are not at least 1 % faster than the baseline; None: they are at all."""
    found = [row[LINK] for row in sorted(rows, key=lambda row: gbps(row[LINK])) if row[f"speedup.{baseline}"] < GAIN]
    return found[0] if found else None


def kind(row):
    """The kind of a row's quantiser."""
    return yaml.safe_load(row["quantiser"])["kind"]


def marked():
    """The quantisers that a figure marks: words -> (kind, bits)."""
    chosen = config("experiments/co-design")["quantiser"]
    return {"the default": DEFAULT_QUANTISER, "co-design.yaml": (chosen["kind"], chosen.get("bits", 8))}


def by_width(rows):
    """{kind of quantiser: its rows by bits}."""
    found = {}
    for row in sorted(rows, key=lambda row: row["quantiser.bits"]):
        found.setdefault(kind(row), []).append(row)
    return found
