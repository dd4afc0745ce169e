"""Trees of dicts, lists, numbers, texts and tensors as JSON and arrays: files from which nothing can run."""

import json

import numpy as np
import torch


def split(tree):
    """(text, arrays) of a tree: JSON in which an array stands by its number, and the list of NumPy arrays."""
    arrays = []
    return json.dumps(_plain(tree, arrays)), arrays


def join(text, arrays):
    """The tree of a text and its `arrays`, a list or what finds them by number. ValueError, KeyError,
    IndexError, TypeError: it is none."""
    return _tree(json.loads(text), arrays)


def _plain(tree, arrays):
    if tree is None or isinstance(tree, (bool, int, float, str)):
        return tree
    if isinstance(tree, dict):
        return {"dict": [[_plain(key, arrays), _plain(value, arrays)] for key, value in tree.items()]}
    if isinstance(tree, (list, tuple)):
        return {type(tree).__name__: [_plain(value, arrays) for value in tree]}
    if isinstance(tree, torch.Tensor):
        arrays.append(tree.detach().cpu().numpy())
        return {"tensor": len(arrays) - 1}
    if isinstance(tree, np.ndarray):
        arrays.append(tree)
        return {"array": len(arrays) - 1}
    raise TypeError(f"a {type(tree).__name__} is no plain value")


def _tree(plain, arrays):
    if not isinstance(plain, dict):
        return plain
    ((kind, content),) = plain.items()
    if kind == "dict":
        return {_tree(key, arrays): _tree(value, arrays) for key, value in content}
    if kind in ("list", "tuple"):
        return {"list": list, "tuple": tuple}[kind](_tree(value, arrays) for value in content)
    return {"tensor": torch.from_numpy, "array": np.asarray}[kind](arrays[content])
