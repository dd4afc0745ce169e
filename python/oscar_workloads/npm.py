"""JavaScript packages that prepare data: run by node, found in build/npm of this checkout or where NODE_PATH says.

Needs no PyTorch.
"""

import os
import shutil
import subprocess
from pathlib import Path

INSTALLED = Path(__file__).resolve().parents[2] / "build" / "npm" / "node_modules"


def is_there(module):
    """Whether node finds `module`, such as "gpt-tokenizer"."""
    return bool(shutil.which("node")) and run(f"require.resolve({module!r})").returncode == 0


def how_to_install(package):
    """The commands that put `package` where this looks."""
    programs = (
        "" if shutil.which("node") and shutil.which("npm") else "apt-get install --no-install-recommends nodejs npm; "
    )
    return f"{programs}npm install --prefix {INSTALLED.parent} {package}"


def run(script, text=""):
    """The finished process of node with `script`, which reads `text` from its standard input."""
    places = os.pathsep.join(filter(None, (os.environ.get("NODE_PATH"), str(INSTALLED))))
    return subprocess.run(
        ["node", "-e", script], input=text, capture_output=True, text=True, env={**os.environ, "NODE_PATH": places}
    )
