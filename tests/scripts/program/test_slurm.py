"""`oscar-sim sweep --executor slurm` on a Slurm of one node gets what a local sweep gets, also where the node fails."""

import csv
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(Path(__file__).resolve().parent))
import slurm

PROGRAM = ROOT / os.environ.get("OSCAR_BUILD", "build/release") / "oscar-sim"

SWEEP = """\
base:
  payload: synthetic
  size: {size}
  methods: [fp32, bf16]
  fidelity: packet
axes:
  - {{key: ranks, values: [2, 3, 4, 5, 6]}}
  - {{key: network.link.bandwidth, range: {{from: 10Gbps, to: 100Gbps, step: 10Gbps}}}}
"""


def sweep(file, folder, *options, environment=None):
    words = [PROGRAM, "sweep", file, "-o", folder, *options]
    return subprocess.run(words, env=environment, capture_output=True, text=True, check=False)


def rows(folder):
    with open(Path(folder) / "points.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


class OnSlurm(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if program := slurm.missing():
            raise unittest.SkipTest(f"Slurm cannot start: there is no {program} (Debian: slurm-wlm)")
        try:
            cls.cluster = slurm.Slurm().__enter__()
        except RuntimeError as error:
            raise unittest.SkipTest(f"Slurm cannot start: {error}") from error
        cls.addClassCleanup(cls.cluster.__exit__)

    def setUp(self):
        # where the node can read and write, as on the file system of a cluster
        folder = tempfile.TemporaryDirectory(prefix="oscar-sweep-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.file = self.folder / "many.yaml"
        self.file.write_text(SWEEP.format(size="256KiB"))

    def test_fifty_points_are_those_of_a_local_sweep_though_the_node_fails(self):
        words = [PROGRAM, "sweep", self.file, "-o", self.folder / "there", "--executor", "slurm"]
        with subprocess.Popen(
            words, env=self.cluster.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as run:
            for _ in range(300):
                if list((self.folder / "there/slurm").glob("*.out")):
                    break
                time.sleep(0.1)
            self.cluster.stop_node()
            time.sleep(2)
            self.cluster.start_node()
            out, err = run.communicate(timeout=280)
        self.assertEqual(run.returncode, 0, err.decode() + self.cluster.log("slurmctld"))
        local = sweep(self.file, self.folder / "here")
        self.assertEqual(local.returncode, 0, local.stderr)
        here, there = rows(self.folder / "here"), rows(self.folder / "there")
        self.assertEqual(len(there), 50)
        self.assertEqual(here, there)
        self.assertEqual(list((self.folder / "there/slurm/results").iterdir()), [])
        print("Slurm: 50 points by a job array, the node's daemon killed in the middle: equal to a local sweep")

    def test_an_interrupted_sweep_leaves_no_task_and_goes_on(self):
        self.file.write_text(SWEEP.format(size="4MiB"))
        words = [PROGRAM, "sweep", self.file, "-o", self.folder / "there", "--executor", "slurm", "-j", "1"]
        with subprocess.Popen(words, env=self.cluster.environment, stderr=subprocess.PIPE) as run:
            for _ in range(300):
                if self.cluster.run("squeue", "--noheader"):
                    break
                time.sleep(0.1)
            run.send_signal(signal.SIGINT)
            _, err = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 128 + signal.SIGINT, err.decode())
        for _ in range(150):
            if not self.cluster.run("squeue", "--noheader"):
                break
            time.sleep(0.2)
        self.assertEqual(self.cluster.run("squeue", "--noheader"), "")
        self.assertIn("pending", {row["status"] for row in rows(self.folder / "there")})


class WithoutSlurm(unittest.TestCase):
    def test_the_package_is_named_and_nothing_is_written(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "many.yaml"
            file.write_text(SWEEP.format(size="256KiB"))
            done = sweep(file, Path(folder) / "there", "--executor", "slurm", environment={"PATH": "/nowhere"})
            self.assertEqual(done.returncode, 2)
            self.assertIn("install slurm-client", done.stderr)
            self.assertFalse((Path(folder) / "there").exists())

    def test_a_task_without_a_manifest_says_who_writes_one(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "many.yaml"
            file.write_text(SWEEP.format(size="256KiB"))
            done = sweep(file, Path(folder) / "there", "--array-task", "0")
            self.assertEqual(done.returncode, 2)
            self.assertIn("no manifest of a job array; a sweep with --executor slurm writes one", done.stderr)


if __name__ == "__main__":
    unittest.main()
