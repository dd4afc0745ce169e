"""oscar-sim fit: from logs of nccl-tests to a machine that run and predict take."""

import json
import tempfile
import unittest
from pathlib import Path

from tests.scripts.program.terminal import piped

LOGS = Path(__file__).resolve().parents[3] / "configs/validation"


class Fit(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def refused(self, *arguments):
        done = piped("fit", *map(str, arguments), "-o", str(self.folder / "no.yaml"))
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done.stderr)
        self.assertFalse((self.folder / "no.yaml").exists())
        return done.stderr

    def machine(self, *arguments):
        file = self.folder / "machine.yaml"
        done = piped("fit", *map(str, arguments), "-o", str(file))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn(str(file), done.stdout)
        return file, done.stdout

    def test_the_machine_of_a_log_is_simulated_and_predicted_as_it_was_measured(self):
        file, text = self.machine(LOGS / "a100.log")
        self.assertIn("launch 37620ns and bandwidth 1853498Mbps", text)
        self.assertIn("mean |error| 9.1 %", text)
        run = piped("run", str(file), "--set", "size=1GiB", "--json")
        simulated = json.loads(run.stdout)["methods"][0]["allreduce_ps"] * 1e-6
        predicted = json.loads(piped("predict", str(file), "--set", "sizes=[1GiB]", "--json").stdout)
        for microseconds in (simulated, predicted["predictions"][0]["time_ps"] * 1e-6):
            self.assertAlmostEqual(microseconds, 8203.9, delta=0.3)

    def test_the_machine_of_several_nodes_has_islands(self):
        file, _ = self.machine(LOGS / "polaris.log", "--from", "1KiB")
        self.assertIn("{kind: hierarchical, island: 4, rails: false}", file.read_text())
        self.assertEqual(piped("run", str(file), "-q", "-o", "-").returncode, 0)

    def test_a_machine_is_the_base_of_an_experiment_and_a_prediction_of_usual_sizes(self):
        file, _ = self.machine(LOGS / "a100.log")
        experiment = self.folder / "mine.yaml"
        experiment.write_text("base: machine.yaml\nsize: 1MiB\n")
        self.assertEqual(piped("run", str(experiment), "-q", "-o", "-").returncode, 0)
        self.assertEqual(len(json.loads(piped("predict", str(file), "--json").stdout)["predictions"]), 13)

    def test_a_dash_is_standard_output(self):
        done = piped("fit", str(LOGS / "a100.log"), "-o", "-")
        self.assertEqual(done.returncode, 0)
        self.assertTrue(done.stdout.startswith("# A machine fitted"))

    def test_ranks_are_named_where_a_log_does_not(self):
        table = self.folder / "table.log"
        lines = (LOGS / "polaris.log").read_text().splitlines(keepends=True)
        table.write_text("".join(line for line in lines if "# Using" not in line and "Rank" not in line))
        self.assertIn("table.log: its devices are not listed; add --ranks N", self.refused(table))
        _, text = self.machine(table, "--ranks", "8", "--ranks-per-node", "4")
        self.assertIn("launch 26790ns and bandwidth 289423Mbps", text)
        self.assertIn("does not divide", self.refused(table, "--ranks", "8", "--ranks-per-node", "3"))

    def test_wrong_logs_are_refused_in_a_line(self):
        damaged = self.folder / "damaged.log"
        damaged.write_text((LOGS / "a100.log").read_text()[:2400])
        short = self.folder / "short.log"
        short.write_text("".join((LOGS / "a100.log").read_text().splitlines(keepends=True)[:17]))
        for arguments, says in (
            (("none.log",), "none.log: no such file; name a log of nccl-tests"),
            ((self.folder,), "is a folder"),
            ((damaged,), "damaged.log: line "),
            ((LOGS / "a100.yaml",), "there is no table of nccl-tests in it"),
            ((short,), "short.log: 2 sizes from 32KiB on, and a fit needs three"),
            ((LOGS / "a100.log", "--from", "3"), "--from 3: "),
            (
                (LOGS / "a100.log", LOGS / "polaris.log"),
                "polaris.log: 8 ranks, 4 a node, and a log before it has 8 ranks, 8",
            ),
            ((LOGS / "a100.log", "--ranks", "1"), "--ranks"),
        ):
            self.assertIn(says, self.refused(*arguments))


if __name__ == "__main__":
    unittest.main()
