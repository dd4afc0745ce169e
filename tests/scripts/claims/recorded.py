"""What the CSV files of results/where-it-pays record, by the machine: rows of a method by trace,
and figures of such rows."""

import re
from functools import lru_cache
from pathlib import Path
from statistics import geometric_mean

from tests.scripts.loading import script

script("where_it_pays")  # names the folder of oscar_summary
from oscar_summary import causes, pays, records, where  # noqa: E402

ROOT = Path(__file__).resolve().parents[3]
RESULTS = ROOT / "results/where-it-pays"
BEST, LINK = "oscar-hw", "network.link.bandwidth"
TABLES = (
    "where-it-pays",
    *(
        f"where-it-pays-{part}"
        for part in ("ablation", "schedules", "ranks", "many-ranks", "quantisers", "in-network", "engine", "arrays")
    ),
    "true-size",
)
OTHERS = {
    "fp32": "fp32",
    "bf16": "bf16",
    "fixed_point": "uncoded integers",
    "atalanta-balanced": "Atalanta",
    "rans-classes": "rANS",
}
ALLREDUCE, STEP = 3.77, 1.38  # times as fast with OSCAR-HW, as published (OSCAR, HPCA 2026, abstract)
GPU = "codes made by the GPU, PCIe 5 x16"


def exposed(step, allreduce):
    """The share s of exposed communication with which an AllReduce so many times as fast makes a step so many times as
    fast: step = 1 / (1 - s + s / allreduce)."""
    return (1 - 1 / step) / (1 - 1 / allreduce)


@lru_cache
def table(name):
    """The rows of a CSV file of where-it-pays."""
    return records.read(RESULTS / f"{name}.csv")[1]


def point(name, method=BEST, **keys):
    """trace -> the row of a method at one point of each window; `__` stands for a dot."""
    rows = where(table(name), method=method, **keys)
    found = {row["trace"]: row for row in rows}
    assert found and len(found) == len(rows), (name, method, keys)
    return found


def at(link, method=BEST):
    """The co-designed machine with a bucket of 25 MiB."""
    return point(
        "where-it-pays",
        method,
        scale=16,
        gpu__gradients="codes",
        gpu__dma_bandwidth=pays.PCIE5,
        network__link__bandwidth=f"{link}Gbps",
    )


def switched(link, method="fixed_point"):
    """The same where the switch adds, in the number of slices that is best for the method."""
    by_slices = [
        point("where-it-pays-in-network", method, network__link__bandwidth=f"{link}Gbps", collective__slices=slices)
        for slices in (16, 32, 64)
    ]
    return min(by_slices, key=lambda rows: geometric_mean(row["allreduce_ps"] for row in rows.values()))


def ranks(count, method=BEST, slices=1):
    return point("where-it-pays-many-ranks", method, ranks=count, collective__slices=slices)


def engine(name, method=BEST, link=400):
    return point("where-it-pays-engine", method, experiment=name, network__link__bandwidth=f"{link}Gbps")


def quantised(kind, bits, method=BEST, link=200):
    rows = [
        row
        for row in table("where-it-pays-quantisers")
        if re.search(rf"kind: {kind}\b", row["quantiser"]) and row["quantiser.bits"] == bits
    ]
    return {row["trace"]: row for row in where(rows, method=method, network__link__bandwidth=f"{link}Gbps")}


def bucket(link, method=BEST):
    """Whole buckets of captures, codes made by the GPU."""
    return point("true-size", method, gpu__gradients="codes", network__link__bandwidth=f"{link}Gbps")


def steps(link, method=BEST):
    """The steps of the captured models."""
    return point("step", method, share=16, ready="operations", network__link__bandwidth=f"{link}Gbps")


def spread(values):
    values = list(values)
    return [geometric_mean(values), min(values), max(values)]


def faster(rows, baseline):
    """How many times as fast the rows are as the baseline's: mean, least, most."""
    return spread(baseline[trace]["allreduce_ps"] / row["allreduce_ps"] for trace, row in rows.items())


def error(rows):
    return spread(row["relative_l2_error"] for row in rows.values())


def bits(rows):
    return spread(row["bits_per_value"] for row in rows.values())


def limiter(rows):
    return causes.limiter(list(rows.values()))
