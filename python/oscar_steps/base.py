"""Names of bases: whether an experiment finds the machine that it is to run on, before it is written."""

import difflib
import os
from pathlib import Path

from oscar_summary.command import InputError

FOLDERS = ("parts", "machines", "experiments")  # of configs, in which the program searches


def check(name, root, folder):
    """InputError if `name` is no file in `folder` or here, and no shipped base. `root` has the shipped configs."""
    roots = [Path(), Path(os.environ.get("OSCAR_SIM_DATA") or root)]
    places = [folder, Path(), *(one / "configs" / kind for one in roots for kind in FOLDERS)]
    if any(_is_file(place / (name + ending)) for place in places for ending in ("", ".yaml")):
        return
    known = sorted({file.stem for one in roots for kind in FOLDERS for file in (one / "configs" / kind).glob("*.yaml")})
    near = difflib.get_close_matches(name, known, 1)
    raise InputError(
        f"--base {name}: no such machine or experiment{f' (did you mean {near[0]}?)' if near else ''}; name a file, or "
        "one of configs/parts, machines or experiments"
    )


def _is_file(path):
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
