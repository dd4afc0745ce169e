"""What a file of configs/training says."""

import difflib
import hashlib
import json
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

import yaml
from oscar_workloads.workloads import WORKLOADS

from .error import TrainingError


@dataclass(frozen=True)
class Method:
    """A method of an experiment: its name, its kind and what else the file says of it."""

    name: str
    kind: str
    parameters: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Settings:
    """One training, to be repeated for every method and seed."""

    workload: str  #: of python/oscar_workloads
    machine: dict[str, Any]  #: keys of an experiment: network, collective, engine, step, ...
    methods: tuple[Method, ...]
    ranks: int = 8
    steps: int = 0  #: 0: those of the workload
    learning_rate: float = 0.0  #: 0: that of the workload
    epoch: int = 100  #: steps that controllers take for an epoch
    evaluate: int = 50  #: steps between evaluations
    name: str = ""  #: of the folder of its records; "": that of the file
    seeds: tuple[int, ...] = (1, 2, 3)


def load(path, problem_of=lambda settings, method: None):
    """Settings of a YAML file, which the simulator's own reader reads. `problem_of` says of a method on the machine
    ("machine" or "method", what is wrong with it), or None.

    TrainingError, `file:line:column: key: what`: for anything that would fail when it is trained.
    """
    import oscar_sim  # not above: the identity of records is computed where the package is not built, too

    try:
        said = oscar_sim.read_training(path)
    except ValueError as error:
        raise TrainingError(str(error)) from None
    places = said["places"]
    if said["workload"] not in WORKLOADS:
        _fail(places["workload"], f"no workload {said['workload']!r}{_nearest(said['workload'], WORKLOADS)}")
    methods = [(_method(name, kind, content), place) for name, kind, content, place in said["methods"]]
    as_read = ("workload", "ranks", "steps", "learning_rate", "epoch", "evaluate", "name", "seeds")
    settings = Settings(
        **{key: said[key] for key in as_read},
        machine=_typed(said["machine"]),
        methods=tuple(method for method, _ in methods),
    )
    for method, place in methods:
        if problem := problem_of(settings, method):
            of, what = problem
            _fail(*((places["machine"], what) if of == "machine" else (place, f"{method.name}: {what}")))
    return settings


def identity(settings, method, seed):
    """What a record depends on, as a short text. What is as by default is left out, so that a setting which comes later
    does not make the records before it another's."""
    said = {
        f.name: value
        for f, value in zip(fields(settings), asdict(settings).values())
        if getattr(settings, f.name) != f.default
    }
    return hashlib.sha256(
        json.dumps({**said, "methods": asdict(method), "seeds": seed}, sort_keys=True).encode()
    ).hexdigest()[:16]


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


def _nearest(word, known):
    """What to write in place of a word that is not known."""
    near = difflib.get_close_matches(word, known, 1, 0.5)
    return f"{f' (did you mean {near[0]}?)' if near else ''}; known: {', '.join(known)}"
