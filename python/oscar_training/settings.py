"""What a file of configs/training says."""

import difflib
import hashlib
import json
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import yaml
from oscar_workloads.workloads import WORKLOADS

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
    """Settings of a YAML file, which the simulator's own reader reads. The two functions say what is wrong with a
    machine or a method, or None.

    TrainingError, `file:line:column: key: what`: for anything that would fail when it is trained.
    """
    import oscar_sim  # not above: the identity of records is computed where the package is not built, too

    said = _read(oscar_sim.read_training, path)
    places = said["places"]
    if said["workload"] not in WORKLOADS:
        _fail(places["workload"], f"no workload {said['workload']!r}{_nearest(said['workload'], WORKLOADS)}")
    gpu_file = Path(path).parent / said["gpu"]
    if not gpu_file.is_file():
        remedy = "configs/training/gpu has some, and scripts/calibrate_gpu makes one of your GPU"
        _fail(places["gpu"], f"no file {gpu_file}; {remedy}")
    gpu = load_gpu(gpu_file, said["scale"], said["kernel_price"])
    methods = [(_method(name, kind, content), place) for name, kind, content, place in said["methods"]]
    as_read = ("workload", "scale", "ranks", "steps", "learning_rate", "epoch", "evaluate", "name", "seeds")
    settings = Settings(
        **{key: said[key] for key in as_read},
        compute=Compute(*said["compute"]),
        machine=_typed(said["machine"]),
        gpu=gpu["seconds"],
        gpu_source=gpu["source"],
        methods=tuple(method for method, _ in methods),
    )
    if problem := problem_of_machine(settings):
        _fail(places["machine"], problem)
    for method, place in methods:
        if problem := problem_of_method(method, settings):
            _fail(place, f"{method.name}: {problem}")
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


def load_gpu(path, scale=1.0, price=None):
    """{"seconds": {operation: seconds}, "source": words} of a file of configs/training/gpu.

    Operations of which it says the bytes take their time at `price`, (bytes a second, seconds of a launch) of the
    simulated GPU (none: that of a GPU as by default), and so does a launch of which it does not say the seconds. All
    but `launch` grow with the model, `scale` times.
    """
    import oscar_sim

    content = _read(oscar_sim.read_price_list, path)
    source, seconds = content["source"], content["seconds"]
    if content["bytes"] or "launch" not in seconds:
        rate, launch = price or oscar_sim.kernel_price({})
        moved = {operation: size / rate for operation, size in content["bytes"].items()}
        seconds = {"launch": launch, **moved, **seconds}
        source += f" ({rate / 1e12:.3g} TB/s of GPU memory, {1e6 * seconds['launch']:.3g} us a launch)"
    return {
        "seconds": {key: value * (1 if key == "launch" else scale) for key, value in seconds.items()},
        "source": source,
    }


def only(settings, methods, seeds):
    """The settings with these methods (by name; none: all) and seeds (none: all)."""
    known = [m.name for m in settings.methods]
    unknown = [name for name in methods if name not in known]
    if unknown:
        raise TrainingError(f"--method {unknown[0]}: no such method{_nearest(unknown[0], known)}")
    chosen = tuple(m for m in settings.methods if not methods or m.name in methods)
    return replace(settings, methods=chosen, seeds=tuple(seeds) or settings.seeds)


def _method(name, kind, content):
    """A method of its name, kind and what the file says of it: a map, or the kind alone."""
    given = content if isinstance(content, dict) else {}
    return Method(name, kind, {key: _typed(value) for key, value in given.items() if key not in ("name", "kind")})


def _typed(value):
    """What the program's reader left as text, as YAML takes it: the identity of a record tells 1 from "1"."""
    if isinstance(value, dict):
        return {key: _typed(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [_typed(entry) for entry in value]
    try:
        typed = yaml.safe_load(value)
    except (AttributeError, yaml.YAMLError):  # nothing, or a text that is no YAML by itself
        return value
    return typed if isinstance(typed, (bool, int, float)) else value


def _fail(place, what):
    raise TrainingError(f"{place}: {what}")


def _read(reader, path):
    """What a reader of the program gives. TrainingError in place of its ConfigError."""
    try:
        return reader(path)
    except ValueError as error:
        raise TrainingError(str(error)) from None


def _nearest(word, known):
    """What to write in place of a word that is not known."""
    near = difflib.get_close_matches(word, known, 1, 0.5)
    return f"{f' (did you mean {near[0]}?)' if near else ''}; known: {', '.join(known)}"
