"""scripts/capture, as a user runs it.

Run: /usr/bin/python3 -m unittest tests/scripts/traces/test_capture.py
"""

import importlib.util
import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
import yaml

ROOT = Path(__file__).resolve().parents[3]
CAPTURE = ROOT / "scripts" / "capture"
sys.path.insert(0, str(ROOT / "python"))

from oscar_workloads.workloads import SHIPPED, WORKLOADS

TINY = ("--ranks", 2, "--batch", 4, "--steps", 4, "--early", 0, "--window", 2, "--seed", 5)


def obstacle():
    """Why no capture can run here, or None."""
    if importlib.util.find_spec("torch") is None:
        return "PyTorch is missing (Debian package python3-torch)"
    missing = [source.name for source in {workload.source for workload in SHIPPED.values()} if not source.is_there()]
    return f"missing data: {', '.join(missing)}" if missing else None


# scripts/capture with a small model among the true-size ones, that saves its state in every step.
WITH_SMALL = f"""
import dataclasses, runpy, sys
sys.path.insert(0, {str(ROOT / "python")!r})
from oscar_workloads import checkpoint, workloads
checkpoint.INTERVAL = 0
small = dataclasses.replace(workloads.SHIPPED["gpt-kjv"], name="small", pooled=True)
workloads.TRUE_SIZE["small"] = workloads.WORKLOADS["small"] = small
sys.argv[0] = {str(CAPTURE)!r}
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def description(folder):
    return yaml.safe_load((folder / "trace.yaml").read_text(encoding="utf-8"))


def capture(*options, **settings):
    return subprocess.run(
        [sys.executable, CAPTURE, *map(str, options)], capture_output=True, text=True, timeout=900, **settings
    )


class InAFolder(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.parent = Path(temporary.name)
        self.out = self.parent / "trace"


@unittest.skipIf(obstacle(), obstacle())
class Captures(InAFolder):
    """Short runs: 2 workers, 4 steps, of which 0 and 1 are the early stage, 2 and 3 the late."""

    def arrays(self, folder):
        return {path.name: path.read_bytes() for path in folder.glob("*.npy")}

    def test_all_makes_every_trace_as_its_own_command_does(self):
        result = capture("--all", "--out", self.parent / "all", *TINY, "--stages", "late")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(set(os.listdir(self.parent / "all")), set(SHIPPED))
        for name in SHIPPED:
            self.assertRegex(result.stderr, rf"capture: {name}: wrote .*/all/{name}, \d+ bytes, in \d+ s\n")
        for name in ("vgg-fmnist", "gpt-kjv"):  # the others would only take longer
            alone = self.parent / name
            self.assertEqual(capture(name, "--out", alone, *TINY, "--stages", "late").returncode, 0)
            self.assertTrue(self.arrays(alone) == self.arrays(self.parent / "all" / name), name)

    def test_all_goes_on_after_a_failure_and_then_exits_with_2(self):
        for name in set(SHIPPED) - {"lstm-kjv"}:
            (self.parent / name).mkdir()
            (self.parent / name / "trace.yaml").write_text("mine")
        result = capture("--all", "--out", self.parent, *TINY)
        self.assertEqual(result.returncode, 2)
        for name in set(SHIPPED) - {"lstm-kjv"}:
            self.assertRegex(result.stderr, rf"capture: {name}: .* is not empty; .*--force")
            self.assertEqual((self.parent / name / "trace.yaml").read_text(), "mine")
        self.assertEqual(description(self.parent / "lstm-kjv")["name"], "lstm-kjv")

    def test_options_reach_the_trace(self):
        result = capture(
            "gpt-kjv",
            "--out",
            self.out,
            "--ranks",
            3,
            "--batch",
            2,
            "--steps",
            5,
            "--early",
            1,
            "--window",
            1,
            "--stages",
            "early,middle,late",
            "--optimiser",
            "sgd",
            "--lr",
            0.25,
            "--momentum",
            0.5,
            "--seed",
            9,
            "--dtype",
            "f4",
            "--layers",
            "blocks.1.*,norm.weight",
        )
        self.assertEqual(result.returncode, 0, result.stderr)
        trace = description(self.out)
        self.assertEqual(
            [trace[key] for key in ("ranks", "batch_per_rank", "seed", "optimiser")],
            [3, 2, 9, "SGD, learning rate 0.25, momentum 0.5"],
        )
        self.assertEqual(
            [(entry["step"], entry["stage"]) for entry in trace["iterations"]],
            [(1, "early"), (2, "middle"), (4, "late")],
        )
        self.assertNotIn("dtype", trace)
        self.assertEqual({layer["name"].split(".")[0] for layer in trace["layers"]}, {"blocks", "norm"})
        array = np.load(self.out / "iteration-00002.npy")
        self.assertEqual((array.dtype.str, array.shape), ("<f4", (3, trace["parameters"])))

    def test_trace_option_and_the_default_name_the_same(self):
        self.assertEqual(capture("--trace", "lenet-fmnist", "--out", self.parent / "a", *TINY).returncode, 0)
        self.assertEqual(capture("--out", self.parent / "b", *TINY).returncode, 0)
        self.assertTrue(self.arrays(self.parent / "a") == self.arrays(self.parent / "b"))
        self.assertEqual(sorted(os.listdir(self.parent)), ["a", "b"])

    def test_existing_folder_is_refused_and_left_untouched(self):
        for name, kept, options in (("plain", "trace.yaml", ()), ("forced", "note", ("--force",))):
            with self.subTest(name):
                out = self.parent / name
                out.mkdir()
                (out / kept).write_text("mine")
                result = capture("lstm-kjv", "--out", out, *TINY, *options)
                self.assertEqual(result.returncode, 2)
                self.assertEqual(len(result.stderr.splitlines()), 1)
                self.assertEqual(os.listdir(out), [kept])
                self.assertEqual((out / kept).read_text(), "mine")

    def test_force_replaces_a_trace(self):
        self.out.mkdir()
        (self.out / "trace.yaml").write_text("format: 0\n")
        (self.out / "iteration-00099.npy").write_text("")
        self.assertEqual(capture("lstm-kjv", "--out", self.out, *TINY, "--force").returncode, 0)
        self.assertEqual(sorted(os.listdir(self.out)), [f"iteration-{i:05}.npy" for i in range(4)] + ["trace.yaml"])
        self.assertEqual(description(self.out)["format"], 2)

    def test_interrupted_capture_leaves_nothing(self):
        for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            with subprocess.Popen(
                [sys.executable, CAPTURE, "gpt-kjv", "--out", self.out, "--steps", "100000"],
                stderr=subprocess.PIPE,
                text=True,
            ) as process:
                self.assertIn("step 0 of", process.stderr.readline())
                self.assertTrue(os.listdir(self.parent))
                process.send_signal(number)
                process.stderr.read()
            self.assertEqual(process.returncode, status)
            self.assertEqual(os.listdir(self.parent), [])

    def test_interrupted_capture_of_true_size_goes_on_when_it_is_called_again(self):
        command = [
            sys.executable,
            "-c",
            WITH_SMALL,
            "--true-size",
            "small",
            "--steps",
            "120",
            *map(str, TINY[:4]),
            "--out",
        ]
        for words, number, status in (("step 50 of", signal.SIGINT, 130), ("goes on at step", signal.SIGTERM, 143)):
            with subprocess.Popen([*command, self.out], stderr=subprocess.PIPE, text=True) as process:
                while words not in (line := process.stderr.readline()):
                    self.assertTrue(line, "it ended")
                process.send_signal(number)
                process.stderr.read()
            self.assertEqual(process.returncode, status)
            self.assertEqual(os.listdir(self.parent), [".trace.unfinished"])
        result = subprocess.run([*command, self.out], capture_output=True, text=True, timeout=900)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(
            result.stderr.splitlines()[0], r"capture: small: goes on at step (5[1-9]|[6-9]\d|1\d\d) of 120$"
        )
        self.assertEqual(os.listdir(self.parent), ["trace"])
        whole = self.parent / "whole"
        self.assertEqual(subprocess.run([*command, whole], stderr=subprocess.DEVNULL, timeout=900).returncode, 0)
        self.assertTrue(self.arrays(self.out) == self.arrays(whole))
        ours, theirs = description(self.out), description(whole)
        for layer in ours["layers"] + theirs["layers"]:
            del layer["ready"]
        self.assertEqual(ours, theirs)

    def test_wrong_settings_are_one_line_and_status_2(self):
        for options, words in (
            (("--steps", 3), "overlap"),
            (("--layers", "tail.*"), "no layer matches 'tail.*'"),
            (("--ranks", 60000), "needs 240000 images"),
        ):
            result = capture("vgg-fmnist", "--out", self.out, *TINY, *options)
            self.assertEqual((result.returncode, len(result.stderr.splitlines())), (2, 1), result.stderr)
            self.assertIn(words, result.stderr)
            self.assertEqual(os.listdir(self.parent), [])


class Refusals(InAFolder):
    def test_missing_module_is_one_line_that_names_the_packages(self):
        modules = self.parent / "modules"
        modules.mkdir()
        (modules / "torch.py").write_text("raise ImportError(name='torch')\n")
        result = capture("--all", "--out", self.out, env={**os.environ, "PYTHONPATH": str(modules)})
        self.assertEqual((result.returncode, len(result.stderr.splitlines())), (2, 1), result.stderr)
        for word in ("apt-get install", "python3-torch", "dataset-fashion-mnist", "bible-kjv-text"):
            self.assertIn(word, result.stderr)
        self.assertFalse(self.out.exists())

    @unittest.skipIf(obstacle(), obstacle())
    def test_missing_data_are_one_line_that_names_their_package_and_no_other(self):
        programs = self.parent / "bin"  # dpkg-query may be missed, `bible` is
        programs.mkdir()
        result = capture("lstm-kjv", "--out", self.out, env={**os.environ, "PATH": str(programs)})
        self.assertEqual((result.returncode, len(result.stderr.splitlines())), (2, 1), result.stderr)
        self.assertRegex(result.stderr, "King James Bible not found .*apt-get install .* bible-kjv bible-kjv-text$")
        self.assertNotIn("fashion", result.stderr)
        self.assertFalse(self.out.exists())

    def missing_of_true_size(self, name, without=(), programs=()):
        """What is said of a capture without these Python modules, with no programs but these, on one line."""
        folder = Path(tempfile.mkdtemp(dir=self.parent))
        (folder / "sitecustomize.py").write_text(f"import sys\nsys.modules.update(dict.fromkeys({without!r}))\n")
        for program, content in programs:
            (folder / program).write_text(content)
            (folder / program).chmod(0o755)
        environment = {**os.environ, "PYTHONPATH": str(folder), **({"PATH": str(folder)} if programs else {})}
        result = capture("--true-size", name, "--out", self.out, env=environment)
        self.assertEqual((result.returncode, len(result.stderr.splitlines())), (2, 1), result.stderr)
        self.assertFalse(self.out.exists())
        return result.stderr

    @unittest.skipIf(obstacle(), obstacle())
    def test_missing_torchvision_is_one_line_that_names_its_package(self):
        for name in ("resnet50-fmnist", "vgg16-fmnist", "vit-b16-fmnist"):
            self.assertRegex(
                self.missing_of_true_size(name, without=("torchvision",)),
                "capture: Python module torchvision not found by .*: apt-get install --no-install-recommends "
                ".*python3-torch .*python3-torchvision dataset-fashion-mnist\n$",
            )

    @unittest.skipIf(obstacle(), obstacle())
    def test_missing_package_of_npm_is_one_line_that_names_the_commands(self):
        """Where node does not find it, and where there is no node; the data are there,
        and torchvision is not needed."""
        fails = "#!/bin/sh\nexit 1\n"
        command = "npm install --prefix .*/build/npm gpt-tokenizer$"
        for names, words in (
            (("bible", "node", "npm"), f"bible-kjv-text; {command}"),
            (("bible",), f"bible-kjv-text; apt-get install --no-install-recommends nodejs npm; {command}"),
        ):
            with self.subTest(names):
                programs = [(name, fails) for name in names]
                said = self.missing_of_true_size("gpt2-kjv", without=("torchvision",), programs=programs)
                self.assertRegex(said, "capture: King James Bible in GPT-2's byte pairs not found")
                self.assertRegex(said, words)
                self.assertNotIn("torchvision", said)

    def test_wrong_usage_is_told_with_status_2(self):
        for options, words in (
            (("resnet",), "invalid choice: 'resnet'"),
            (("--ranks", 0), "at least 1 is wanted, not '0'"),
            (("--ranks", "x"), "not 'x'"),
            (("--stages", "early,end"), "no stage 'end'"),
            (("--all", "lstm-kjv"), "give one of"),
            (("--early", -1), "at least 0 is wanted, not '-1'"),
            (("--true-size", "gpt3"), "invalid choice: 'gpt3' (choose from "),
            (("--true-size", "lenet-fmnist"), "invalid choice"),
            (("gpt2-kjv",), "invalid choice"),
            (("--true-size", "gpt2-kjv", "--all"), "give one of NAME, --trace, --true-size and --all"),
            (("--optimiser", "lamb"), "invalid choice"),
            (("--dtype", "f8"), "invalid choice"),
        ):
            with self.subTest(options):
                result = capture(*options, "--out", self.out)
                self.assertEqual(result.returncode, 2)
                self.assertIn(words, result.stderr)

    def test_list_names_every_workload_without_pytorch(self):
        modules = self.parent / "modules"
        modules.mkdir()
        (modules / "torch.py").write_text("raise ImportError(name='torch')\n")
        result = capture("--list", env={**os.environ, "PYTHONPATH": str(modules)})
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual([line.split()[0] for line in result.stdout.splitlines()], [*WORKLOADS])


if __name__ == "__main__":
    unittest.main()
