"""Settings of a training, out of files of their own, for tests."""

import tempfile
import unittest
from pathlib import Path

import yaml
from oscar_training import settings

GOOD = {
    "workload": "lenet-fmnist",
    "machine": {},
    "methods": ["dense", {"kind": "top_k", "name": "tenth", "factor": 10}],
}


def made(*methods, machine=None, **changes):
    """Settings of two workers without a file."""
    given = {"workload": "lenet-fmnist", "machine": machine or {}, "methods": methods, "ranks": 2, **changes}
    return settings.Settings(**given)


class Files(unittest.TestCase):
    """Reads settings out of a.yaml."""

    def load(self, content):
        """Settings of a file with this content, a tree."""
        return self.text(yaml.safe_dump(content))

    def text(self, text, **files):
        """Settings of a file with this text beside others."""
        with tempfile.TemporaryDirectory() as folder:
            for name, content in files.items():
                (Path(folder) / f"{name}.yaml").write_text(content)
            (Path(folder) / "a.yaml").write_bytes(text if isinstance(text, bytes) else text.encode())
            return settings.load(Path(folder) / "a.yaml")
