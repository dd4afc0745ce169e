"""scripts/rtl_engine: the RTL in a run of a shipped trace gives the report of its cycle model, to the picosecond."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = Path(os.environ.get("OSCAR_BUILD", ROOT / "build/release")).resolve() / "oscar-sim"
SMALL = ["engine.lanes=4", "ranks=4", "iterations.count=1", "methods=[fp32, fixed_point, atalanta, asc]"]


def report(kind, folder):
    call = [PROGRAM, "run", ROOT / "configs/experiments/demo.yaml", "-o", f"{folder}/{kind}"]
    for setting in [f"engine.kind={kind}", *SMALL]:
        call += ["--set", setting]
    environment = {**os.environ, "OSCAR_RTL": f"{folder}/rtl"}
    run = subprocess.run(call, capture_output=True, text=True, env=environment, check=False)
    return run, Path(folder) / kind / "report.json"


def without_effort(file):
    """All of a report but what the run itself cost, and the kind."""
    told = json.loads(file.read_text(encoding="utf-8"))
    del told["host"]
    del told["config"]["engine"]["kind"]
    return told


class RtlEngine(unittest.TestCase):
    def test_a_run_without_the_libraries_says_how_to_make_them(self):
        with tempfile.TemporaryDirectory() as folder:
            run, told = report("rtl", folder)
            self.assertNotEqual(run.returncode, 0)
            self.assertIn("scripts/rtl_engine --lanes 4 --streams 1 makes it", run.stderr)
            self.assertIn("verilator", run.stderr)
            self.assertFalse(told.exists())

    @unittest.skipIf(shutil.which("verilator") is None, "there is no Verilator (scripts/setup rtl-packages.txt)")
    def test_the_rtl_gives_the_report_of_its_cycle_model(self):
        with tempfile.TemporaryDirectory() as folder:
            make = [ROOT / "scripts/rtl_engine", "--lanes", "4", "-j", "1", "-o", f"{folder}/rtl"]
            made = subprocess.run(make, capture_output=True, text=True, check=False)
            self.assertEqual(made.returncode, 0, made.stderr)
            reports = []
            for kind in ("rtl", "cycles"):
                run, told = report(kind, folder)
                self.assertEqual(run.returncode, 0, run.stderr)
                reports.append(without_effort(told))
            self.assertEqual(*reports)

    def test_without_verilator_its_package_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            os.symlink("/usr/bin/python3", f"{folder}/python3")
            call = ["/usr/bin/python3", ROOT / "scripts/rtl_engine"]
            run = subprocess.run(call, capture_output=True, text=True, env={"PATH": folder}, check=False)
            self.assertEqual(run.returncode, 2)
            self.assertIn("apt-get install --no-install-recommends verilator make g++", run.stderr)


if __name__ == "__main__":
    unittest.main()
