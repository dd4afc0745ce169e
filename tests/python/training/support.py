"""Settings of a training, out of files of their own, for tests."""

import tempfile
import unittest
from pathlib import Path

import yaml
from oscar_training import settings

GPU = {"source": "a table", "seconds": {"elements": 1e-9, "launch": 1e-6}}
GOOD = {
    "workload": "lenet-fmnist",
    "compute": {"forward": "1s", "backward": "2ms"},
    "machine": {},
    "gpu": "gpu.yaml",
    "methods": ["dense", {"kind": "top_k", "name": "tenth", "factor": 10}],
}


class Files(unittest.TestCase):
    """Reads settings out of a.yaml beside gpu.yaml, the price list."""

    def load(self, content):
        """Settings of a file with this content, a tree."""
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "gpu.yaml").write_text(yaml.safe_dump(GPU))
            (Path(folder) / "a.yaml").write_text(yaml.safe_dump(content))
            return settings.load(Path(folder) / "a.yaml")

    def text(self, text, **files):
        """Settings of a file with this text beside others."""
        with tempfile.TemporaryDirectory() as folder:
            for name, content in {"gpu": yaml.safe_dump(GPU), **files}.items():
                (Path(folder) / f"{name}.yaml").write_text(content)
            (Path(folder) / "a.yaml").write_bytes(text if isinstance(text, bytes) else text.encode())
            return settings.load(Path(folder) / "a.yaml")
