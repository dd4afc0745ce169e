"""Bases of experiments: whether there is the machine that one is to run on, and how many ranks its nodes have."""

import difflib
import os
from pathlib import Path

from oscar_summary import user_file
from oscar_summary.command import InputError

FOLDERS = ("parts", "machines", "experiments")  # of configs, in which the program searches
DEEPEST = 20  # bases of bases; the program refuses those that go round
ISLAND = 8  # ranks of an island where a topology of islands does not say


def find(name, root, folder):
    """The file of a base: in `folder`, here, or shipped with `root`. InputError: there is none."""
    roots = [Path(), Path(os.environ.get("OSCAR_SIM_DATA") or root)]
    places = [folder, Path(), *(one / "configs" / kind for one in roots for kind in FOLDERS)]
    for file in (place / (name + ending) for place in places for ending in ("", ".yaml")):
        if _is_file(file):
            return file
    known = sorted({file.stem for one in roots for kind in FOLDERS for file in (one / "configs" / kind).glob("*.yaml")})
    near = difflib.get_close_matches(name, known, 1)
    raise InputError(
        f"--base {name}: no such machine or experiment{f' (did you mean {near[0]}?)' if near else ''}; name a file, or "
        "one of configs/parts, machines or experiments"
    )


def ranks_of_node(file, root):
    """Ranks of a node, which is an island of the network, in the base `file`; None where it has none. InputError: a
    file that cannot be read, or one of its bases that there is not."""
    topology = _topology(file, root, DEEPEST)
    island = topology.get("island", ISLAND)
    return island if topology.get("kind") == "hierarchical" and type(island) is int and island > 1 else None


def note_on_nodes(ranks, node, name):
    """A line about ranks that do not fill the nodes of a machine; None where they do."""
    if node is None or ranks % node == 0:
        return None
    fewer = ranks - ranks % node
    whole = f"{fewer} or {fewer + node}" if fewer else node
    return f"{ranks} ranks do not fill the nodes of {name}, which have {node}; --ranks {whole} would"


def _topology(file, root, deepest):
    """`network.topology` of a file over its bases, key by key, as far as it is a map."""
    told = user_file.yaml_in(file, "a machine or an experiment")
    if not isinstance(told, dict) or deepest == 0:
        return {}
    merged, bases, network = {}, told.get("base") or [], told.get("network")
    for name in bases if isinstance(bases, list) else [bases]:
        merged = _over(merged, _topology(find(str(name), root, file.parent), root, deepest - 1))
    return _over(merged, network.get("topology") if isinstance(network, dict) else None)


def _over(below, above):
    """A topology over another: its keys, and those of the other if that is of the same kind."""
    above = {"kind": above} if isinstance(above, str) else above if isinstance(above, dict) else {}
    is_same = above.get("kind", below.get("kind")) == below.get("kind")
    return {**(below if is_same else {}), **above}


def _is_file(path):
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
