"""What a file of configs/training says."""

import difflib
import hashlib
import json
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import yaml

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

    workload: str                    #: of python/oscar_workloads
    compute: Compute
    machine: dict[str, Any]          #: keys of an experiment: network, collective, engine, ...
    methods: tuple[Method, ...]
    gpu: dict[str, float]            #: seconds per operation (gpu.py), of a model `scale` times as large
    gpu_source: str                  #: where these constants are from
    scale: float = 1.0               #: how much larger the model is of which the clock tells
    ranks: int = 8
    steps: int = 0                   #: 0: those of the workload
    learning_rate: float = 0.0       #: 0: that of the workload
    epoch: int = 100                 #: steps that controllers take for an epoch
    evaluate: int = 50               #: steps between evaluations
    name: str = ""                   #: of the folder of its records; "": that of the file
    seeds: tuple[int, ...] = (1, 2, 3)


def load(path):
    """Settings of a YAML file. TrainingError: unreadable, a key that does not exist or is missing, a method named twice."""
    try:
        content = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError) as error:
        raise TrainingError(f"{path}: {' '.join(str(error).split())}") from None
    gpu = _map(content, f"{path}: ").pop("gpu", None)
    _check_keys(Settings, {**content, "gpu": 0, "gpu_source": 0}, f"{path}: ")
    numbers = {key: _number(content[key], f"{path}: {key}: ") for key in ("scale", "learning_rate") if key in content}
    constants = load_gpu(Path(path).parent / str(gpu), numbers.get("scale", 1.0))
    settings = Settings(**{"name": Path(path).stem, **content, **numbers, "compute": _compute(content["compute"], path), "gpu": constants["seconds"],
                           "gpu_source": constants["source"], "seeds": tuple(content.get("seeds", (1, 2, 3))),
                           "methods": tuple(_method(m, path) for m in _all_methods(content["methods"], path))})
    names = [method.name for method in settings.methods]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise TrainingError(f"{path}: methods: two are named {twice!r}; give one another name")
    return settings


def identity(settings, method, seed):
    """What a record depends on, as a short text. What is as by default is left out, so that a setting which comes later
    does not make the records before it another's."""
    said = {f.name: value for f, value in zip(fields(settings), asdict(settings).values()) if getattr(settings, f.name) != f.default}
    return hashlib.sha256(json.dumps({**said, "methods": asdict(method), "seeds": seed}, sort_keys=True).encode()).hexdigest()[:16]


def load_gpu(path, scale=1.0):
    """{"seconds": {operation: seconds}, "source": words} of a file of configs/training/gpu.

    All but `launch` grow with the model, `scale` times.
    """
    try:
        content = _map(yaml.safe_load(path.read_text(encoding="utf-8")), f"{path}: ")
        return {"seconds": {key: float(value) * (1 if key == "launch" else scale) for key, value in content["seconds"].items()},
                "source": content["source"]}
    except (OSError, yaml.YAMLError, KeyError, AttributeError, TypeError, ValueError) as error:
        raise TrainingError(f"{path}: gpu: a file with `source` and `seconds` per operation is wanted ({error!r})") from None


def only(settings, methods, seeds):
    """The settings with these methods (by name; none: all) and seeds (none: all)."""
    unknown = [name for name in methods if name not in {m.name for m in settings.methods}]
    if unknown:
        raise TrainingError(f"no method {unknown[0]!r}{_nearest(unknown[0], [m.name for m in settings.methods])}")
    chosen = tuple(m for m in settings.methods if not methods or m.name in methods)
    return replace(settings, methods=chosen, seeds=tuple(seeds) or settings.seeds)


def _all_methods(entries, path):
    """The list with what the files that it names (*.yaml, beside it) hold in their place."""
    for entry in entries:
        if isinstance(entry, str) and entry.endswith(".yaml"):
            file = Path(path).parent / entry
            try:
                yield from _all_methods(yaml.safe_load(file.read_text(encoding="utf-8")), file)
            except (OSError, yaml.YAMLError) as error:
                raise TrainingError(f"{path}: methods: {entry}: {' '.join(str(error).split())}") from None
        else:
            yield entry


def _method(entry, path):
    entry = {"kind": entry} if isinstance(entry, str) else dict(_map(entry, f"{path}: methods: "))
    if "kind" not in entry:
        raise TrainingError(f"{path}: methods: {entry}: no `kind`")
    kind = entry.pop("kind")
    return Method(entry.pop("name", kind), kind, entry)


def _compute(entry, path):
    _check_keys(Compute, _map(entry, f"{path}: compute: "), f"{path}: compute: ")
    return Compute(**{key: _number(value, f"{path}: compute: {key}: ") for key, value in entry.items()})


def _number(value, where):
    """At least 0; YAML takes 1e-3 for a text."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = -1.0
    if not 0 <= number < float("inf"):
        raise TrainingError(f"{where}a number of at least 0 is wanted, not {value!r}")
    return number


def _map(value, where):
    if not isinstance(value, dict):
        raise TrainingError(f"{where}a map is wanted, not {value!r}")
    return value


def _check_keys(kind, given, where):
    known = [f.name for f in fields(kind)]
    for key in given:
        if key not in known:
            raise TrainingError(f"{where}no key {key!r}{_nearest(key, known)}; there are {', '.join(known)}")
    for f in fields(kind):
        if f.name not in given and f.default is f.default_factory:   # both MISSING: it has no default
            raise TrainingError(f"{where}`{f.name}` is missing")


def _nearest(word, known):
    near = difflib.get_close_matches(word, known, 1)
    return f" (did you mean {near[0]}?)" if near else ""
