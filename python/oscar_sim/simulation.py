"""Whole simulations: the program, run on a configuration, and its report."""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Optional, Union

from oscar_sim._core import ConfigError

_WRONG_INPUT = 2   # exit status of the program


class SimulationError(RuntimeError):
    """The simulation did not end, or its sums differ from those of the reference."""


def _program() -> str:
    """`oscar-sim` as OSCAR_SIM names it, as built or installed with this package, or on the PATH."""
    here = Path(__file__).parent
    for candidate in (os.environ.get("OSCAR_SIM"), here.parents[1] / "oscar-sim", here.parents[3] / "bin/oscar-sim",
                      shutil.which("oscar-sim")):
        if candidate and os.access(candidate, os.X_OK) and Path(candidate).is_file():
            return str(candidate)
    raise FileNotFoundError("oscar-sim: not found beside this package nor on the PATH; name it in OSCAR_SIM")


def simulate(config: Union[Mapping[str, Any], str, os.PathLike], overrides: Optional[Mapping[str, Any]] = None) -> dict[str, Any]:
    """The report of an experiment (docs/report.md), as `oscar-sim run` writes it.

    `config`: a file, or what it would hold; `overrides`: dotted keys and their values, as `--set` takes them. Relative
    paths are looked for in the current folder. ConfigError for what is wrong with it; SimulationError for a run that
    came to nothing.
    """
    with tempfile.TemporaryDirectory() as folder:
        if isinstance(config, Mapping):
            file = Path(folder) / "experiment.yaml"
            file.write_text(json.dumps(config), encoding="utf-8")   # JSON is YAML
        else:
            file = Path(config)
        sets = [argument for key, value in (overrides or {}).items() for argument in ("--set", f"{key}={json.dumps(value)}")]
        run = subprocess.run([_program(), "run", file, "-o", folder, *sets], capture_output=True, text=True, check=False)
        if run.returncode:
            raise (ConfigError if run.returncode == _WRONG_INPUT else SimulationError)(run.stderr.strip())
        return json.loads((Path(folder) / "report.json").read_text(encoding="utf-8"))
