"""Buckets of captured gradients of true size on the co-designed machine: which runs, and a row per run and method.

A run takes 30 to 100 s of CPU time, so those come first that tell most, and none is done twice: neither what the CSV
file has of the same program nor what lies in the scratch folder.
"""

import json
import subprocess
from dataclasses import dataclass

import yaml

from . import causes, runs
from .pays import quantiser_words

CONFIG_NAME = "experiments/co-design"
CONFIG = f"configs/{CONFIG_NAME}.yaml"
BUCKETS = {"resnet50-fmnist": 1, "gpt2-kjv": 6, "vgg16-fmnist": 4}
# Link, gradients in GPU memory, payload. Bytes are made, decoded and checked at one link;
# elsewhere their number is computed.
MACHINES = (
    ("400Gbps", "codes", "encoded"),
    ("200Gbps", "codes", "size_only"),
    ("100Gbps", "codes", "size_only"),
    ("800Gbps", "codes", "size_only"),
    ("400Gbps", "fp32", "size_only"),
    ("200Gbps", "fp32", "size_only"),
)
KEYS = ("trace", "bucket", "network.link.bandwidth", "gpu.gradients", "payload")
FIGURES = (
    "values",
    "allreduce_ps",
    "bits_per_value",
    "imbalance",
    *causes.COLUMNS,
    "break_even_bandwidth_gbps",
    "relative_l2_error",
    "cosine",
    "sums_match_reference",
    "bound_ps",
)
MACHINE = ("quantiser", "gpu.dma_bandwidth")  # of the run: co-design.yaml may be another since
COLUMNS = (*KEYS, "method", "program", *MACHINE, *FIGURES)


@dataclass(frozen=True)
class Point:
    """One run: a bucket of a capture on a link, with what is in GPU memory."""

    trace: str
    link: str
    gradients: str
    payload: str

    @property
    def keys(self):
        return dict(zip(KEYS, (self.trace, BUCKETS[self.trace], self.link, self.gradients, self.payload)))

    @property
    def folder(self):
        return f"{self.trace}-{self.link}-{self.gradients}"


POINTS = [Point(trace, *machine) for machine in MACHINES for trace in BUCKETS]


def bits_in_memory(method, gradients):
    """Bits of a value that the DMA reads and writes: of 8 ranks' int8 codes the sums take 16."""
    if gradients == "fp32" or method == "fp32":
        return 32, 32
    return (16, 16) if method == "bf16" else (8, 16)


def bound_ps(program, config, row, scratch):
    """What `oscar-sim predict` says that the wire, the DMA and the engine allow with the row's bits,
    both halves of the ring at work."""
    read, written = bits_in_memory(row["method"], row["gpu.gradients"])
    lanes = 0 if row["method"] in ("fp32", "bf16") else config["engine"]["lanes"]
    predictor = {
        "kind": "roofline",
        "link_bandwidth": row["network.link.bandwidth"],
        "dma_bandwidth": config["gpu"]["dma_bandwidth"],
        "reduce_scatter_bits": round(row["bits_per_value"], 6),
        "all_gather_bits": round(row["bits_per_value"], 6),
        "read_bits": read,
        "written_bits": written,
        "lanes": lanes,
        "clock": config["engine"]["clock"],
        "schedule": "pipelined",
    }
    file = scratch / "roofline.yaml"
    file.write_text(
        yaml.safe_dump({"predictor": predictor, "ranks": config["ranks"], "sizes": [f"{4 * row['values']}B"]}),
        encoding="utf-8",
    )
    subprocess.run([program, "predict", file, "-o", scratch / "roofline"], check=True, stdout=subprocess.DEVNULL)
    return json.loads((scratch / "roofline/prediction.json").read_text(encoding="utf-8"))["predictions"][0]["time_ps"]


def settings(point, captures):
    """What the point changes in CONFIG."""
    return {
        "trace": captures / point.trace,
        "scale": 1,
        "iterations": "{first: 3, count: 1}",
        "bucket": f"{{index: {BUCKETS[point.trace]}}}",
        "network.link.bandwidth": point.link,
        "gpu.gradients": point.gradients,
        "payload": point.payload,
    }


def machine(config):
    """MACHINE of a report's configuration."""
    return dict(zip(MACHINE, (quantiser_words(config["quantiser"]), config["gpu"]["dma_bandwidth"])))


def rows_of(program, captures, point, scratch):
    """Runs a point that is not in `scratch` yet; a row per method."""
    report = runs.experiment(program, CONFIG, scratch / point.folder, lambda: settings(point, captures))
    rows = []
    for method in report["methods"]:
        path = {f"critical_path.{name}": value for name, value in method["critical_path"].items()}
        row = {
            **method,
            **path,
            **point.keys,
            **machine(report["config"]),
            "method": method["name"],
            "values": report["trace"]["elements"],
        }
        rows.append(row | {"bound_ps": bound_ps(program, report["config"], row, scratch)})
    return rows


def complete(program, version, captures, file, scratch):
    """Runs the points that `file`, a CSV, lacks and whose capture is there."""
    runs.complete(
        POINTS,
        version,
        file,
        COLUMNS,
        captures,
        scratch,
        lambda point, folder: rows_of(program, captures.resolve(), point, folder),
    )
