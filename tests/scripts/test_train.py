"""scripts/train as a program: what it says and how it ends."""

import os
import resource
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GOOD = """\
workload: lenet-fmnist
compute: {forward: 1s, backward: 2s}
machine: {}
gpu: %s
methods: [dense]
""" % (ROOT / "configs/training/gpu/estimated.yaml")


def train(text, *arguments):
    """(exit status, stdout, stderr, files) of scripts/train with a configuration of this text."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "a.yaml").write_text(text)
        run = subprocess.run([sys.executable, ROOT / "scripts/train", f"{folder}/a.yaml", "-o", f"{folder}/out", *arguments],
                             capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": ""})
        return run.returncode, run.stdout, run.stderr.replace(folder, ""), sorted(str(p.relative_to(folder)) for p in Path(folder).rglob("*"))


def limit_memory():
    """So that a device that never ends is an error here and does not fill the machine."""
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))


class WrongInput(unittest.TestCase):
    def test_it_ends_with_status_2_one_line_and_no_folder(self):
        for text, arguments, line in ((GOOD.replace("lenet-", "lent-"), (), "/a.yaml:1:11: workload: no workload 'lent-fmnist' (did you mean lenet-fmnist?)"),
                                      (GOOD.replace("[dense]", "dense"), (), "/a.yaml:5:10: methods: a list is wanted, not 'dense'"),
                                      (GOOD.replace("[dense]", ""), (), "/a.yaml:5:9: methods: a list is wanted, not nothing"),
                                      (GOOD + "seeds: 1\n", (), "/a.yaml:6:8: seeds: "), (GOOD + "epoch: 0\n", (), "/a.yaml:6:8: epoch: "),
                                      (GOOD + "name: ../b\n", (), "/a.yaml:6:7: name: "),
                                      (GOOD.replace("dense", "dens"), (), "/a.yaml:5:11: methods: dens: kind: 'dens' is not known (did you mean dense?)"),
                                      (GOOD.replace("{}", "{network: {topologi: x}}"), (), "/a.yaml:3:10: machine: network.topologi: no such parameter"),
                                      (GOOD, ("--method", "dens"), "--method dens: no such method (did you mean dense?)")):
            with self.subTest(line):
                status, out, err, files = train(text, *arguments)
                self.assertEqual((status, out, files), (2, "", ["a.yaml"]), err)
                self.assertTrue(err.startswith(f"train: {line}"), err)
                self.assertEqual(err.count("\n"), 1, err)

    def test_a_pipe_or_a_device_is_refused_and_not_waited_for(self):
        with tempfile.TemporaryDirectory() as folder:
            os.mkfifo(f"{folder}/pipe.yaml")
            for file in (f"{folder}/pipe.yaml", "/dev/zero"):
                with self.subTest(file):
                    run = subprocess.run([sys.executable, ROOT / "scripts/train", file, "-o", f"{folder}/out"], capture_output=True, text=True,
                                         check=False, timeout=20, env={**os.environ, "PYTHONPATH": ""}, preexec_fn=limit_memory)
                    self.assertEqual((run.returncode, run.stderr), (2, f"train: {file}: is a pipe or a device; name a YAML file\n"))

    def test_options_are_checked_before_files_are_read(self):
        for arguments in (("--steps", "0"), ("-j", "0"), ("--seed", "x")):
            with self.subTest(arguments):
                status, _, err, _ = train(GOOD, *arguments)
                self.assertEqual(status, 2)
                self.assertIn("a whole number of at least", err)


if __name__ == "__main__":
    unittest.main()
