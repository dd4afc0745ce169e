"""What a record was made of: the sources that its training ran, the data, the versions, and what the clock gives.

The sources are those of the loop, of the workload and of the method with what it calls, C++ included; not the whole
tree. The simulator, which gives the times, is told by what it computes: two steps with made-up gradients, whose
picoseconds and bytes are as they were exactly as long as the clock is what it was.
"""

import ast
import hashlib
import platform
import re
from dataclasses import fields
from pathlib import Path

import numpy as np

from . import machine

ROOT = Path(__file__).resolve().parents[2]
LOOP = (
    "python/oscar_training/loop.py",
    "python/oscar_training/machine.py",
    "python/oscar_sim/live.py",
    "python/oscar_workloads/training.py",
    "python/oscar_workloads/optimisers.py",
    "sim/run/live_run.cpp",
)
QUANTISING = "models/quantise/quantiser.hpp"  # of all that a lossless codec carries
LOSSY = "models/compressor"
_TABLES = ("models/core/fields.hpp", "models/core/kinds.hpp")
_INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
# What of a C++ source is form: the lines of includes and of the beginnings and ends of namespaces, then comments and
# spacing between the words, whole literals and signs of the code.
_FORM = re.compile(
    r"^[ \t]*(?:#[ \t]*include\b.*|(?:inline[ \t]+)?namespace\b[^;{}=\n]*\{[ \t]*(?://.*)?"
    r"|\}[ \t]*//[ \t]*namespace\b.*)$",
    re.MULTILINE,
)
_CODE = re.compile(
    r"""//[^\n]*|/\*.*?\*/|((?<!\w)R"(\w*)\(.*?\)\2"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])'|\w+|\+\+|--|&&|\S)""",
    re.DOTALL,
)
_KIND = re.compile(r'kind<(.+?)>\(\s*"(\w+)"')
_OF_CAPTURES = (
    "source",
    "early",
    "ranks",
    "window",
    "stages",
    "seed",
    "dtype",
    "layers",
    "pooled",
)  # of a Workload, which no training reads
_PROBED = ("weight", (128, 64))  # the layer of the probe


def of_record(settings, method, workload, clock_now=None):
    """The provenance of a record that is made now; `workload`: the Workload of the settings. `clock_now`:
    what clock() gave, if that is known."""
    return {
        "sources": _digests(method, workload),
        "workload": {
            field.name: getattr(workload, field.name) for field in fields(workload) if field.name not in _OF_CAPTURES
        },
        "data": workload.source.origin(),
        "versions": versions(),
        "clock": clock_now or clock(settings, method),
    }


def _digests(method, workload):
    """{path: digest} of the sources; where oscar-sim is installed, without the sources of C++, its version."""
    if not (ROOT / LOSSY).is_dir():
        import oscar_sim

        return {"oscar_sim": oscar_sim.__version__}
    return {path: digest(ROOT / path) for path in sources(method.kind, workload)}


def sources(kind, workload):
    """Paths below ROOT of what a training with this kind of method and workload runs, sorted."""
    return sorted(
        {
            *LOOP,
            *sources_of_method(kind),
            *(f"python/oscar_workloads/{name}.py" for name in (workload.model, workload.source.module)),
        }
    )


def sources_of_method(kind):
    """Those that decide on the mean: of a lossy compressor and error feedback, or of the codes that others carry."""
    try:
        return with_includes([*headers_of(kind), f"{LOSSY}/base/feedback.hpp"])
    except KeyError:
        return with_includes([QUANTISING])


def headers_of(kind):
    """The headers that declare the parameters of a kind of compressor and what is made of them. KeyError:
    no such kind."""
    headers = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in (ROOT / LOSSY).rglob("*.hpp")}
    lists = "".join(text for path, text in headers.items() if _is_list(path))
    types = re.findall(r"\w+", {name: written for written, name in _KIND.findall(lists)}[kind])
    declared = re.compile(
        rf"^struct ({'|'.join(types)})\b[^;]*{{|make_compressor\(const ({'|'.join(types)})\b", re.MULTILINE
    )
    return [path for path, text in headers.items() if declared.search(text)]


def _is_list(path):
    """Whether a source lists kinds, all of which it includes."""
    return Path(path).name.startswith("compressors")


def with_includes(starts, root=ROOT):
    """`starts` and what they include, headers with the source files beside them. Left out: lists of kinds, which name
    every other kind, and the tables of parameters, which compute nothing."""
    found, to_do = set(), list(starts)
    while to_do:
        path = to_do.pop()
        if path in found or _is_list(path) or path in _TABLES or not (root / path).is_file():
            continue
        found.add(path)
        to_do += _INCLUDE.findall((root / path).read_text(encoding="utf-8"))
        if path.endswith(".hpp"):
            to_do.append(path[:-4] + ".cpp")
    return found


def digest(path):
    """The first 12 hexadecimal digits of the SHA-256 of what a source computes: its form does not count."""
    return hashlib.sha256(_code(str(path), path.read_text(encoding="utf-8")).encode()).hexdigest()[:12]


def _code(path, text):
    """A source without comments, docstrings, spacing, and what C++ has for the compiler to find names:
    includes and namespaces."""
    return _python_code(text) if path.endswith(".py") else _cpp_code(text)


def _python_code(text):
    """In the form that Python gives it; the text itself where it is no Python."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return text
    for node in ast.walk(tree):
        if (
            isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
            and ast.get_docstring(node) is not None
        ):
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree)


def _cpp_code(text):
    return " ".join(found[1] for found in _CODE.finditer(_FORM.sub("", text)) if found[1])


def versions():
    """What computes beside our own sources."""
    from oscar_workloads import software  # needs PyTorch, which the rest here does not

    return {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "torch": software.pytorch(),
        "machine": platform.machine(),
    }


def clock(settings, method):
    """[picoseconds, bytes] of the second of two steps on the machine of the settings: what the times come from."""
    with machine.run(settings, method, 1, [_PROBED]) as probe:
        steps = [probe.step(machine.made_up(settings.ranks, probe.values, seed)) for seed in (0, settings.ranks)]
    return [round(1e12 * steps[1].seconds), steps[1].payload_bytes]


def differences(recorded, now):
    """What of a record's provenance is no longer so, a few words each; none: the record is of this program."""
    found = _other_sources(recorded["sources"], now["sources"])
    found += [key for key in ("workload", "data") if recorded[key] != now[key]]
    return found + (["the clock's times"] if recorded["clock"] != now["clock"] else [])


def other_versions(recorded, now):
    """Which versions of what computes beside our own sources are others, a few words each."""
    return [
        f"{name} {recorded['versions'].get(name)}, now {version}"
        for name, version in now["versions"].items()
        if recorded["versions"].get(name) != version
    ]


def _other_sources(recorded, now):
    """Paths of one of both, or with other code; not those of a file that has moved:
    the same code under another path."""
    gone, come = recorded.keys() - now.keys(), now.keys() - recorded.keys()
    moved = {recorded[path] for path in gone} & {now[path] for path in come}
    unmoved = {path for path in gone | come if recorded.get(path, now.get(path)) not in moved}
    return sorted(unmoved | {path for path in recorded.keys() & now.keys() if recorded[path] != now[path]})
