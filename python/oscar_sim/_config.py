"""Configurations as Python holds them, and as the C++ side reads them."""

import json
import math
import os
import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np

from oscar_sim._core import ConfigError

Core = TypeVar("Core")
_PLACE = re.compile(r"^[^ ]*:\d+:\d+: ")


def text_of(value: Any, key: str = "") -> str:
    """JSON, which is YAML, of a configuration. NumPy's numbers and arrays become plain, paths texts.

    `key`: the path of `value`, where it is not the whole. ConfigError, with the key path:
    for what a configuration cannot hold.
    """
    return json.dumps(_plain(value, key))


def make(core: Callable[..., Core], kind: str, parameters: Mapping[str, Any], *more: Any) -> Core:
    """`core` of a kind and its parameters. ConfigError: by key path,
    for the place in a text is nothing that the user wrote."""
    text = text_of({"kind": kind, **parameters})
    try:
        return core(text, *more)
    except ConfigError as error:
        raise ConfigError(without_place(str(error))) from None


def without_place(message: str) -> str:
    """An error of the configuration's reader without its `file:line:column: `."""
    return _PLACE.sub("", message)


def _plain(value: Any, key: str) -> Any:
    if isinstance(value, Mapping):
        return {_checked_key(name, key): _plain(entry, _below(key, name)) for name, entry in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_plain(entry, _below(key, i)) for i, entry in enumerate(value)]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if value is None or isinstance(value, (bool, int, str)) or (isinstance(value, float) and math.isfinite(value)):
        return value
    raise ConfigError(
        f"{key}: {value!r} is a {type(value).__name__}; a configuration holds finite numbers, texts, lists and maps"
    )


def _checked_key(name: Any, key: str) -> str:
    if not isinstance(name, str):
        raise ConfigError(f"{_below(key, name)}: a key must be a text, not {name!r}")
    return name


def _below(key: str, name: Any) -> str:
    return f"{key}.{name}" if key else str(name)
