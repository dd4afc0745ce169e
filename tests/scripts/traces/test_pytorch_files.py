"""What `trace convert` says of a file of PyTorch, done as it says."""

import importlib.util
import os
import pickle
import subprocess
import tempfile
import unittest
from pathlib import Path

if importlib.util.find_spec("torch") is None:
    raise unittest.SkipTest("PyTorch is missing (Debian package python3-torch)")

import numpy as np
import torch

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = Path(os.environ.get("OSCAR_BUILD", ROOT / "build/release")).resolve() / "oscar-sim"


class Malicious:
    def __init__(self, made):
        self._made = made

    def __reduce__(self):
        return os.mkdir, (self._made,)


class Advice(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_in_folder(self, *command):
        return subprocess.run(
            command, cwd=self.folder, capture_output=True, text=True, check=False, env={"PATH": "/usr/bin:/bin"}
        )

    def advice(self, name="g.pt"):
        """The command that the program names for the file."""
        said = self.run_in_folder(PROGRAM, "trace", "convert", name, "out")
        self.assertEqual(said.returncode, 2)
        self.assertRegex(
            said.stderr,
            rf"^oscar-sim: {name}: is a file of PyTorch; save its tensors, one of shape \[ranks, elements\] "
            r'for each iteration, as arrays: python3 -c "[^"\n]+"\n$',
        )
        return said.stderr.partition("as arrays: ")[2].strip()

    def test_a_dict_a_list_and_a_tensor_become_the_same_trace(self):
        values = torch.arange(24.0).reshape(3, 2, 4)  # [iterations, ranks, elements]
        half = torch.nn.Parameter(values.bfloat16())  # no type of NumPy, and with a gradient of its own
        for kind, saved in {
            "dict": {f"step {i}": values[i] for i in range(3)},
            "numbered": dict(enumerate(values)),
            "list": list(values),
            "tuple": tuple(values),
            "tensor": values,
            "bf16": half,
        }.items():
            with self.subTest(kind):
                torch.save(saved, self.folder / "g.pt")
                done = self.run_in_folder("sh", "-c", self.advice())
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                converted = self.run_in_folder(PROGRAM, "trace", "convert", "g.npz", kind)
                self.assertEqual((converted.returncode, converted.stderr), (0, ""))
                for i in range(3):
                    np.testing.assert_array_equal(
                        np.load(self.folder / kind / f"iteration-{i:05}.npy"), values[i].numpy()
                    )

    def test_a_pickle_of_someone_else_runs_nothing(self):
        made = self.folder / "made"
        for write in (
            lambda: torch.save({"step 1": Malicious(str(made))}, self.folder / "g.pt"),
            lambda: (self.folder / "g.pt").write_bytes(pickle.dumps(Malicious(str(made)))),
        ):
            write()
            self.assertNotEqual(self.run_in_folder("sh", "-c", self.advice()).returncode, 0)
            self.assertFalse(made.exists())

    def test_a_name_that_a_shell_would_read_is_not_in_the_command(self):
        torch.save([], self.folder / "a'b$(c).pt")
        said = self.run_in_folder(PROGRAM, "trace", "convert", "a'b$(c).pt", "out").stderr
        self.assertIn("torch.load('gradients.pt', 'cpu', weights_only=True); numpy.savez('gradients.npz', ", said)


if __name__ == "__main__":
    unittest.main()
