"""What the tests of oscar_workloads share.

To be imported first: it finds the package, and without PyTorch it skips the test file.
"""

import dataclasses
import importlib.util
import os
import random
import sys
import unittest
from pathlib import Path
from unittest import mock

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[variable] = "1"

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "python"))
if importlib.util.find_spec("torch") is None:
    raise unittest.SkipTest("PyTorch is missing (Debian package python3-torch)")

import numpy as np
import torch
import yaml

from oscar_workloads import images, sources, text
from oscar_workloads.workloads import SHIPPED

torch.set_num_threads(1)


def small_images(count=96):
    """Images of noise, those of a class about a mean of its own, in place of Fashion-MNIST."""
    generator = torch.Generator().manual_seed(1)
    labels = torch.arange(count) % images.CLASSES
    means = torch.randn(images.CLASSES, 1, 28, 28, generator=generator)
    noisy = means[labels] + 0.1 * torch.randn(count, 1, 28, 28, generator=generator)
    return images.Images((noisy, labels), (noisy, labels))


def small_text(length=4000):
    """A text of random words out of five, in place of the Bible."""
    chooser = random.Random(2)
    words = ["Let ", "there ", "be ", "light:\n", "and "]
    return text.Text("".join(chooser.choice(words) for _ in range(length // 4))[:length])


def fixture_data():
    """A patch under which all sources load the small data above."""
    small = {"images": small_images, "text": small_text}
    return mock.patch.object(sources.Source, "load", lambda source: small[source.module]())


def tiny(name, **settings):
    """The workload with 2 workers of 4 examples and 4 steps: 0 and 1 are the early stage, 2 and 3 the late one."""
    settings = {"ranks": 2, "batch": 4, "steps": 4, "early": 0, "window": 2, **settings}
    return dataclasses.replace(SHIPPED[name], **settings)


def manifest(folder):
    return yaml.safe_load((folder / "trace.yaml").read_text(encoding="utf-8"))


def gradients(folder):
    """All iterations of a trace as fp64 [iterations, ranks, elements], with their scales applied."""
    return np.stack(
        [
            np.load(folder / entry["file"]).astype(np.float64) * entry.get("scale", 1)
            for entry in manifest(folder)["iterations"]
        ]
    )
