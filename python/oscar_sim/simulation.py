"""Whole simulations: the program, run on a configuration, and its report."""

import json
import os
import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from oscar_sim._arrays import numbers
from oscar_sim._config import text_of, without_place
from oscar_sim._core import ConfigError
from oscar_sim.report import Report

WRONG_INPUT = 2  # exit status of the program


class SimulationError(RuntimeError):
    """The simulation did not end, or its sums differ from those of the reference."""


def simulate(
    config: Union[Mapping[str, Any], str, "os.PathLike[str]"], overrides: Optional[Mapping[str, Any]] = None
) -> Report:
    """The Report of an experiment, as `oscar-sim run` writes it.

    `config`: a file, or what it would hold, NumPy's numbers and paths included; `overrides`: dotted keys and their
    values, as `--set` takes them. Relative paths are looked for in the current folder. ConfigError for what is wrong
    with it, by file, line and column or by key path; SimulationError for a run that came to nothing; TypeError for a
    `config` that is neither a mapping nor a path.
    """
    if not isinstance(config, (Mapping, str, os.PathLike)):
        raise TypeError(
            f"config: is of {type(config).__name__}, but an experiment is due; write a mapping, like "
            '{"base": "demo", "ranks": 4}, or the path of a file'
        )
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "experiment.yaml" if isinstance(config, Mapping) else Path(config)
        if isinstance(config, Mapping):
            file.write_text(text_of(config), encoding="utf-8")
        sets = [
            argument
            for key, value in (overrides or {}).items()
            for argument in ("--set", f"{key}={text_of(value, key)}")
        ]
        try:
            _run("run", file, "-o", folder, *sets)
        except ConfigError as error:
            raise ConfigError(without_place(str(error)) if isinstance(config, Mapping) else str(error)) from None
        return Report(json.loads((Path(folder) / "report.json").read_text(encoding="utf-8")))


def write_trace(folder: Union[str, "os.PathLike[str]"], gradients: npt.ArrayLike, **about: str) -> None:
    """Makes a trace of gradients [ranks, elements], or [iterations, ranks, elements],
    in a folder that does not exist yet.

    A simulation of it warms up on the iterations before those that it replays, so give two or more. Values are stored
    as fp32. `about`: texts `name`, `model`, `licence` and `source`. TypeError: no numbers. ValueError: another shape,
    values that are not finite. ConfigError: a folder that is not empty. UserWarning: two dimensions, of which the
    first is taken for the ranks; one rank, and whatever else `oscar-sim trace convert` notes.
    """
    iterations = _iterations(gradients)
    if np.ndim(gradients) == 2:
        warnings.warn(
            f"gradients: the shape {list(iterations.shape[1:])} is [ranks, elements] of one iteration; write "
            "[iterations, ranks, elements] for more, as methods that learn from the iteration before need",
            stacklevel=2,
        )
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "gradients.npz"
        arrays: dict[str, Any] = {f"{i:05}/gradient": rows for i, rows in enumerate(iterations)}
        np.savez(file, **arrays)
        options = (part for key, text in about.items() for part in (f"--{key}", text))
        for line in _run("trace", "convert", file, folder, *options).splitlines():
            if line.startswith("NOTE: "):
                warnings.warn(line.removeprefix("NOTE: "), stacklevel=2)


def _iterations(gradients: npt.ArrayLike) -> npt.NDArray[np.float32]:
    """Finite values of shape [iterations, ranks, elements]."""
    array = numbers(gradients, "gradients", np.float32)
    if array.ndim not in (2, 3):
        raise ValueError(
            f"gradients: the shape must be [ranks, elements] or [iterations, ranks, elements], not {list(array.shape)}"
        )
    with np.errstate(over="ignore"):
        values = array.astype(np.float32, copy=False).reshape((-1, *array.shape[-2:]))
    wrong = np.argwhere(~np.isfinite(values))
    if len(wrong):
        iteration, rank, element = wrong[0]
        raise ValueError(
            f"gradients: element {element} of rank {rank} in iteration {iteration} is {values[tuple(wrong[0])]}; a "
            "trace holds finite values only"
        )
    return values


def _run(*arguments: Any) -> str:
    """What the program prints. ConfigError or SimulationError, with its words, unless it succeeds."""
    run = subprocess.run([program(), *map(str, arguments)], capture_output=True, text=True, check=False)
    if run.returncode:
        message = run.stderr.strip().removeprefix("oscar-sim: ")
        raise (ConfigError if run.returncode == WRONG_INPUT else SimulationError)(message)
    return run.stdout


def program() -> str:
    """The path of `oscar-sim` as OSCAR_SIM names it, as built or installed with this package, or on the PATH."""
    here = Path(__file__).parent
    for candidate in (
        os.environ.get("OSCAR_SIM"),
        here / "../../oscar-sim",
        here / "../../../../bin/oscar-sim",
        shutil.which("oscar-sim"),
    ):
        if candidate and os.access(candidate, os.X_OK) and Path(candidate).is_file():
            return os.path.normpath(candidate)
    raise FileNotFoundError("oscar-sim: not found beside this package nor on the PATH; name it in OSCAR_SIM")
