"""Training steps of whole captured models on the co-designed machine: buckets of DistributedDataParallel that are sent
while the backward pass goes on, for as long as published GPUs compute (pass_times.yaml). A row per run,
ready times and method.

The simulator runs the AllReduces of all buckets; each takes as long as it would alone, whatever the passes do, so one
run serves any passes (docs/training-step.md). Gradients are thinned (thinned.py) and `scale` makes up for it; a few
points run the whole gradient to tell what that changes. Sizes are computed and no bytes made.
"""

import json
import math
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import yaml

from . import causes, runs, thinned, true_size

CONFIG = "configs/experiments/co-design.yaml"
METHODS = ("fp32", "bf16", "fixed_point", "oscar-hw")
LINKS = ("25Gbps", "50Gbps", "100Gbps", "200Gbps", "400Gbps", "800Gbps")
SHARE = 16  # one value of so many is run
BUCKET, FIRST_BUCKET = 25 << 20, 1 << 20  # bytes of fp32, PyTorch's own
LATE = (2, 3)  # positions in a capture: the first warms up
POINT_KEYS = ("trace", "network.link.bandwidth", "share")
KEYS = (*POINT_KEYS, "ready")
READY = (
    "operations",
    "captured",
)  # a gradient is ready by multiplications done, or in proportion to the capture's time
FIGURES = (
    "values",
    "forward_ps",
    "backward_ps",
    "step_ps",
    "exposed_ps",
    "exposed_share",
    "allreduce_ps",
    "bits_per_value",
    *causes.COLUMNS,
    "relative_l2_error",
    "sums_match_reference",
)
COLUMNS = (*KEYS, "method", "program", *true_size.MACHINE, *FIGURES)


@dataclass(frozen=True)
class Point:
    """One run."""

    trace: str
    link: str
    share: int = SHARE

    @property
    def keys(self):
        return dict(zip(POINT_KEYS, (self.trace, self.link, self.share)))

    @property
    def gradient(self):
        return f"{self.trace}-{self.share}"


@lru_cache
def models():
    """name of a capture -> what is published of its GPU."""
    return yaml.safe_load((Path(__file__).parent / "pass_times.yaml").read_text(encoding="utf-8"))["models"]


POINTS = [Point(trace, link) for link in LINKS for trace in models()]
POINTS += [Point("resnet50-fmnist", link, share=1) for link in ("100Gbps", "400Gbps")]


def passes_ms(model):
    """(forward, backward) of a model."""
    forward = model.get("forward_ms", model["passes_ms"] / 3)
    return forward, model["passes_ms"] - forward


def products(layer, model):
    """Multiplications of a layer in the forward pass, in proportion to those of the model's other layers."""
    if len(layer["shape"]) < 2:
        return 0
    beginnings = [beginning for beginning in model.get("outputs", {}) if layer["name"].startswith(beginning)]
    return math.prod(layer["shape"]) * model.get("outputs", {}).get(max(beginnings, key=len, default=None), 1)


def ready_by_operations(layers, model, whole=10**12):
    """Per layer, when of a backward pass of `whole` its gradient is complete, from the last layer to the first."""
    work = [0 if layer["name"] == model.get("first") else products(layer, model) for layer in layers]
    done = sum(products(layer, model) for layer in layers) - sum(work)  # of the tensor that the pass begins with
    total, ready = done + sum(work), [0] * len(layers)
    for index in reversed(range(len(layers))):
        done += work[index]
        ready[index] = max(1, round(whole * done / total))
    return ready


def gradient(point, captures, scratch):
    """The folder of the point's thinned gradient, made where it is missing."""
    folder = scratch / point.gradient
    if not folder.exists():
        thinned.write(captures / point.trace, folder, point.share, LATE)
    return folder


def settings(point, trace):
    """What the point changes in CONFIG. Sizes of buckets are those of the values that are run;
    passes take as long as captured."""
    base = yaml.safe_load((runs.ROOT / CONFIG).read_text(encoding="utf-8"))
    chosen = [
        method for method in base["methods"] if (method if isinstance(method, str) else method["name"]) in METHODS
    ]
    buckets = {"size": f"{BUCKET // point.share}B", "first": f"{FIRST_BUCKET // point.share}B"}
    return {
        "trace": trace,
        "scale": point.share,
        "iterations": "{first: 1, count: 1}",
        "network.link.bandwidth": point.link,
        "payload": "size_only",
        "methods": json.dumps(chosen),
        "step": json.dumps({"buckets": buckets, "overlap": True}),
    }


def step_ps(passes, ready, allreduce):
    """Time of a step with (forward, backward) passes whose buckets are ready at these times of the backward pass and
    take so long, all in ps. One stream carries the buckets in their order (models/workload/training_step.hpp)."""
    forward, backward = passes
    free = 0
    for at, time in zip(ready, allreduce):
        free = max(forward + at, free) + time
    return max(forward + backward, free)


def shares_ready(step, layers, model):
    """For each of READY, per bucket of a report's step,
    the share of the backward pass after which it is ready. `layers`: of the capture."""
    done = dict(zip((layer["name"] for layer in layers), ready_by_operations(layers, model)))
    last = max(done.values())
    return {
        "operations": [max(done[name] for name in bucket["layers"]) / last for bucket in step["buckets"]],
        "captured": [(bucket["ready_ps"] - step["forward_ps"]) / step["backward_ps"] for bucket in step["buckets"]],
    }


def placed(method, layers, model):
    """A row's figures of the step for each of READY, from the report of a method.
    ValueError if the report's own step is another one."""
    step = method["step"]
    allreduce = [bucket["allreduce_ps"] for bucket in step["buckets"]]
    own = [bucket["ready_ps"] - step["forward_ps"] for bucket in step["buckets"]]
    if step_ps((step["forward_ps"], step["backward_ps"]), own, allreduce) != step["step_ps"]:
        raise ValueError(f"{method['name']}: the report's step of {step['step_ps']} ps is not that of its buckets")
    passes = [round(1e9 * time) for time in passes_ms(model)]
    found = []
    for ready, shares in shares_ready(step, layers, model).items():
        time = step_ps(passes, [round(share * passes[1]) for share in shares], allreduce)
        exposed = time - sum(passes)
        found.append(
            {
                "ready": ready,
                "forward_ps": passes[0],
                "backward_ps": passes[1],
                "step_ps": time,
                "exposed_ps": exposed,
                "exposed_share": exposed / time,
            }
        )
    return found


def rows_of(program, captures, point, scratch):
    """Runs a point that is not in `scratch` yet; a row per ready times and method."""
    folder = scratch / f"{point.gradient}-{point.link}"
    report = runs.experiment(program, CONFIG, folder, lambda: settings(point, gradient(point, captures, scratch)))
    layers = yaml.safe_load((captures / point.trace / "trace.yaml").read_text(encoding="utf-8"))["layers"]
    rows = []
    for method in report["methods"]:
        path = {f"critical_path.{name}": value for name, value in method["critical_path"].items()}
        common = {
            **method,
            **path,
            **point.keys,
            **true_size.machine(report["config"]),
            "method": method["name"],
            "values": report["trace"]["elements"],
        }
        rows += [common | step for step in placed(method, layers, models()[point.trace])]
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
