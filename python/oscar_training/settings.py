"""What a file of configs/training says."""

import hashlib
import json
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from oscar_workloads.workloads import WORKLOADS

from . import located
from .error import TrainingError


@dataclass(frozen=True)
class Method:
    """A name for the report, a kind of the family `compressor` or `oscar_hw`, and its parameters."""

    name: str
    kind: str
    parameters: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Compute:
    """Seconds of the forward and backward passes and of the optimiser, per step; every worker takes as long."""

    forward: float
    backward: float
    optimiser: float = 0.0


@dataclass(frozen=True)
class Settings:
    """One training, to be repeated for every method and seed."""

    workload: str  #: of python/oscar_workloads
    compute: Compute
    machine: dict[str, Any]  #: keys of an experiment: network, collective, engine, ...
    methods: tuple[Method, ...]
    gpu: dict[str, float]  #: seconds per operation (gpu.py), of a model `scale` times as large
    gpu_source: str  #: the price list that they are from, in words
    scale: float = 1.0  #: how much larger the model is of which the clock tells
    ranks: int = 8
    steps: int = 0  #: 0: those of the workload
    learning_rate: float = 0.0  #: 0: that of the workload
    epoch: int = 100  #: steps that controllers take for an epoch
    evaluate: int = 50  #: steps between evaluations
    name: str = ""  #: of the folder of its records; "": that of the file
    seeds: tuple[int, ...] = (1, 2, 3)


def load(path, problem_of_machine=lambda settings: None, problem_of_method=lambda method, settings: None):
    """Settings of a YAML file. The two functions say what is wrong with a machine or a method, or None.

    TrainingError, `file:line:column: key: what`: for anything that would fail when it is trained.
    """
    path = Path(path)
    root = located.read(path)
    known = [f.name for f in fields(Settings) if f.name != "gpu_source"]
    given = root.known(
        known,
        ("workload", "compute", "machine", "methods", "gpu"),
        "all of workload, compute, machine, methods and gpu",
    )
    read = {key: _READERS[key](value) for key, value in given.items() if key in _READERS}
    machine = given["machine"].plain()
    gpu = load_gpu(
        path.parent / given["gpu"].text("gpu/estimated.yaml"),
        read.get("scale", 1.0),
        given["gpu"],
        _price(given["machine"]),
    )
    methods = list(_methods(given["methods"], [path]))
    settings = Settings(
        **{
            "name": path.stem,
            **read,
            "machine": machine,
            "gpu": gpu["seconds"],
            "gpu_source": gpu["source"],
            "methods": tuple(method for method, _ in methods),
        }
    )
    if problem := problem_of_machine(settings):
        given["machine"].fail(problem)
    for method, entry in methods:
        if problem := problem_of_method(method, settings):
            entry.fail(f"{method.name}: {problem}")
    return settings


def identity(settings, method, seed):
    """What a record depends on, as a short text. What is as by default is left out, so that a setting which comes later
    does not make the records before it another's; and so is the price list of the GPU, which the record names itself.
    """
    said = {
        f.name: value
        for f, value in zip(fields(settings), asdict(settings).values())
        if getattr(settings, f.name) != f.default and f.name not in ("gpu", "gpu_source")
    }
    return hashlib.sha256(
        json.dumps({**said, "methods": asdict(method), "seeds": seed}, sort_keys=True).encode()
    ).hexdigest()[:16]


def load_gpu(path, scale=1.0, named_by=None, price=None):
    """{"seconds": {operation: seconds}, "source": words} of a file of configs/training/gpu.

    Operations of which it says the bytes take their time at `price`, (bytes a second, seconds of a launch) of the
    simulated GPU (none: that of a GPU as by default), and so does a launch of which it does not say the seconds. All
    but `launch` grow with the model, `scale` times. `named_by`: the Located value that names the file.
    """
    if named_by and not path.is_file():
        named_by.fail(f"no file {path}; configs/training/gpu has some, and scripts/calibrate_gpu makes one of your GPU")
    example = "{source: a few words, bytes: {elements: 8}, seconds: {hashes: 1e-11}}"
    content = located.read(path).known(("source", "bytes", "seconds"), ("source",), example)
    moved, seconds = (
        {key: value.number("8") for key, value in content[name].map(example).items()} if name in content else {}
        for name in ("bytes", "seconds")
    )
    source = content["source"].text("a few words")
    for key in moved:
        if key in seconds or key == "launch":
            content["bytes"].fail(f"{key} has seconds; give each operation bytes or seconds, and a launch seconds")
    if moved or "launch" not in seconds:
        rate, launch = price or _price_of({})
        seconds = {"launch": launch, **{key: value / rate for key, value in moved.items()}, **seconds}
        source += f" ({rate / 1e12:.3g} TB/s of GPU memory, {1e6 * seconds['launch']:.3g} us a launch)"
    return {
        "seconds": {key: value * (1 if key == "launch" else scale) for key, value in seconds.items()},
        "source": source,
    }


def _price_of(gpu):
    """(Bytes a second, seconds of a launch) of the kernels of a simulated GPU,
    with keys of an experiment below `gpu`."""
    import oscar_sim  # here, for files of seconds are read where the package is not built

    return oscar_sim.kernel_price(gpu)


def _price(machine):
    """The same of a machine, a Located map. TrainingError, with its place: a GPU that the simulator would refuse."""
    plain = machine.plain()
    try:
        return _price_of((plain.get("gpu") if isinstance(plain, dict) else None) or {})
    except (TypeError, ValueError) as error:
        machine.fail(error)


def only(settings, methods, seeds):
    """The settings with these methods (by name; none: all) and seeds (none: all)."""
    known = [m.name for m in settings.methods]
    unknown = [name for name in methods if name not in known]
    if unknown:
        raise TrainingError(
            f"--method {unknown[0]}: no such method{located.nearest(unknown[0], known)}; known: {', '.join(known)}"
        )
    chosen = tuple(m for m in settings.methods if not methods or m.name in methods)
    return replace(settings, methods=chosen, seeds=tuple(seeds) or settings.seeds)


def _methods(value, files):
    """(Method, Located) of a list; an entry *.yaml, beside the file,
    stands for the methods of that file. `files`: those that led here."""
    names = set()
    for entry in _entries(value, files):
        method = _method(entry)
        if method.name in names:
            entry.fail(f"two are named {method.name!r}; give one another name")
        names.add(method.name)
        yield method, entry


def _entries(value, files):
    for entry in value.list("[dense, {name: tenth, kind: top_k, factor: 10}]"):
        name = entry.plain()
        if not isinstance(name, str) or not name.endswith(".yaml"):
            yield entry
            continue
        file = files[-1].parent / name
        if file.resolve() in [before.resolve() for before in files]:
            entry.fail(f"{name} is a file that leads back to itself; remove it here")
        if not file.is_file():
            entry.fail(f"no file {file}; name one beside {files[-1]}")
        yield from _entries(located.read(file), [*files, file])


def _method(entry):
    if isinstance(entry.plain(), str):
        return Method(entry.file_name("dense"), entry.plain())
    example = "{name: tenth, kind: top_k, factor: 10}"
    given = entry.map(example)
    if "kind" not in given:
        entry.fail(f"no `kind`; write {example}")
    kind = given["kind"].text("top_k")
    name = given["name"].file_name("top-k 10x") if "name" in given else kind
    return Method(name, kind, {key: value.plain() for key, value in given.items() if key not in ("name", "kind")})


def _compute(value):
    example = "{forward: 800us, backward: 1.6ms, optimiser: 100us}"
    given = value.known([f.name for f in fields(Compute)], ("forward", "backward"), example)
    return Compute(**{key: time.seconds("800us") for key, time in given.items()})


def _workload(value):
    name = value.text("lenet-fmnist")
    if name not in WORKLOADS:
        value.fail(f"no workload {name!r}{located.nearest(name, list(WORKLOADS))}; known: {', '.join(WORKLOADS)}")
    return name


def _seeds(value):
    seeds = tuple(seed.whole(0, "[1, 2, 3]") for seed in value.list("[1, 2, 3]"))
    return seeds if len(set(seeds)) == len(seeds) else value.fail("one is there twice; a seed makes one training")


_READERS = {
    "workload": _workload,
    "compute": _compute,
    "seeds": _seeds,
    "name": lambda value: value.file_name("my-training"),
    "ranks": lambda value: value.whole(2, "8"),
    "steps": lambda value: value.whole(0, "1200, or 0 for those of the workload"),
    "epoch": lambda value: value.whole(1, "100"),
    "evaluate": lambda value: value.whole(1, "50"),
    "scale": lambda value: value.number("500", positive=True),
    "learning_rate": lambda value: value.number("0.05, or 0 for that of the workload"),
}
