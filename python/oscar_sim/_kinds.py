"""Kinds with their parameters as the text of a configuration."""

import json
from typing import Any


def as_json(kind: str, parameters: dict[str, Any]) -> str:
    """The kind as a configuration would hold it."""
    return json.dumps({"kind": kind, **parameters})
