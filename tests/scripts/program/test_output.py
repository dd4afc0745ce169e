"""Where oscar-sim writes its results: reports on standard output, folders, and numbers of runs."""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from tests.scripts.program.terminal import PROGRAM, QUICK, ROOT, Terminal, need_terminals, piped

setUpModule = need_terminals


class Output(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def report(self, text):
        report = json.loads(text)
        del report["host"]
        return report

    def test_json_and_a_dash_print_the_report_and_nothing_else_and_make_no_folder(self):
        piped(*QUICK, "-o", self.folder / "out")
        written = self.report((self.folder / "out/report.json").read_text(encoding="utf-8"))
        for options in (("--json",), ("-o", "-"), ("--json", "--quiet"), ("--quiet", "-o", "-")):
            done = piped(*QUICK, *options, cwd=self.folder)
            self.assertEqual((done.returncode, done.stderr), (0, ""), options)
            self.assertEqual(self.report(done.stdout), written, options)
        self.assertEqual([entry.name for entry in self.folder.iterdir()], ["out"])

    def test_json_with_a_folder_also_writes_there(self):
        done = piped(*QUICK, "--json", "-o", self.folder / "out")
        self.assertEqual(
            json.loads(done.stdout), json.loads((self.folder / "out/report.json").read_text(encoding="utf-8"))
        )

    def test_traffic_and_predict_print_theirs_too(self):
        traffic = (
            "traffic",
            "configs/traffic/mesh4-tornado.yaml",
            "--set",
            "traffic.measure=300",
            "--set",
            "saturation=null",
            "--set",
            "traffic.loads=[0.05]",
        )
        self.assertEqual(json.loads(piped(*traffic, "--json").stdout)["schema"], 1)
        self.assertIn("predictions", json.loads(piped("predict", "configs/validation/a100.yaml", "-o", "-").stdout))

    def test_quiet_prints_nothing_even_on_a_terminal(self):
        self.assertEqual(Terminal(80, *QUICK, "--quiet", "-o", str(self.folder / "out")).read_to_end().text, "")
        self.assertTrue((self.folder / "out/report.json").exists())

    def test_a_waveform_wants_a_folder(self):
        done = piped(*QUICK, "--set", "fidelity=flit", "--set", "waveform={signals: '*'}", "-o", "-")
        self.assertEqual(done.returncode, 2)
        self.assertIn("waveform: is a file of its own; name a folder for it with -o DIR", done.stderr)

    def test_each_run_keeps_the_results_of_those_before(self):
        for number in ("001", "002"):
            done = piped(*QUICK, cwd=self.folder)
            self.assertEqual(done.stdout.splitlines()[-1], f"results/synthetic/{number}/report.json")
        results = self.folder / "results/synthetic"
        self.assertEqual(sorted(entry.name for entry in results.iterdir()), ["001", "002", "latest", "report.json"])
        self.assertEqual(os.readlink(results / "latest"), "002")

    def test_a_named_folder_is_written_to_again(self):
        for _ in range(2):
            piped(*QUICK, "-o", self.folder / "out")
        self.assertEqual([entry.name for entry in (self.folder / "out").iterdir()], ["report.json"])

    def test_a_run_that_fails_leaves_no_numbered_folder_and_keeps_the_link(self):
        piped(*QUICK, cwd=self.folder)
        missing = self.folder / "trace"
        missing.mkdir()
        (missing / "trace.yaml").write_text(
            (ROOT / "traces/lenet-fmnist/trace.yaml").read_text(encoding="utf-8"), encoding="utf-8"
        )
        failed = piped(
            "run",
            str(ROOT / "configs/experiments/demo.yaml"),
            "--set",
            f"trace={missing}",
            "--set",
            "experiment=synthetic",
            cwd=self.folder,
        )
        self.assertEqual(failed.returncode, 2, failed.stderr)
        self.assertEqual(
            sorted(entry.name for entry in (self.folder / "results/synthetic").iterdir()),
            ["001", "latest", "report.json"],
        )

    def test_runs_at_the_same_time_have_folders_of_their_own(self):
        runs = [
            subprocess.Popen([PROGRAM, *QUICK], cwd=self.folder, stdout=subprocess.PIPE, text=True) for _ in range(4)
        ]
        folders = {run.communicate()[0].splitlines()[-1] for run in runs}
        self.assertEqual(folders, {f"results/synthetic/00{number}/report.json" for number in (1, 2, 3, 4)})


if __name__ == "__main__":
    unittest.main()
