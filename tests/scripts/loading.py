"""Scripts have no .py in their names: how their tests import them."""

import importlib.machinery
import importlib.util
from pathlib import Path


def script(name):
    """The module of scripts/NAME."""
    path = Path(__file__).resolve().parents[2] / "scripts" / name
    loader = importlib.machinery.SourceFileLoader(name, str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module
