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

    def log(self, name, times, ranks=8, factor=None, devices=None):
        """A log of these {bytes: us}, whose bus bandwidth is `factor` times the algorithm's: a ring's."""
        factor = 2 * (ranks - 1) / ranks if factor is None else factor
        lines = [f"#  Rank {rank} Group 0 Pid 1 on node device 0 [0x07] GPU" for rank in devices or range(ranks)]
        lines.append("#  size  count  type  redop  root  time  algbw  busbw #wrong  time  algbw  busbw #wrong")
        for size, time in times.items():
            algbw = size / time / 1000
            half = f"{time} {algbw:.2f} {algbw * factor:.2f} 0"
            lines.append(f"{size} {size // 4} float sum -1 {half} {half}")
        file = self.folder / name
        file.write_text("\n".join(lines) + "\n")
        return file

    def measured(self):
        """What the validation's eight A100 took."""
        rows = [line.split() for line in (LOGS / "a100.log").read_text().splitlines() if not line.startswith("#")]
        return {int(row[0]): float(row[5]) for row in rows if row}

    def test_a_log_of_reduction_in_the_network_has_the_same_fit_and_a_remark(self):
        for factor, remark in ((2 * 7 / 8, False), (7 / 9, True)):
            file, text = self.machine(self.log("nvls.log", self.measured(), factor=factor))
            self.assertIn("launch 37620ns and bandwidth 1853498Mbps", text)
            self.assertEqual(
                "# The log counts bus bandwidth as of a reduction in the network" in file.read_text(), remark
            )

    def test_ranks_that_are_named_win_over_the_devices_that_are_left_of_a_list(self):
        file = self.log("rack.log", {1 << power: (1 << power) / 5e5 + 90 for power in range(20, 31)}, 72, devices=[71])
        self.assertIn("its devices are listed in part: 1 of 72 ranks or more; add --ranks N", self.refused(file))
        machine, _ = self.machine(file, "--ranks", "72")
        self.assertIn("ranks: 72\n", machine.read_text())
        self.assertIn("ranks_per_node: 72,", machine.read_text())

    def test_a_bad_fit_says_so_on_the_terminal_and_in_the_file(self):
        line = {1 << power: 25 + (1 << power) / 1e5 for power in range(15, 31)}  # 25 us and 100 GB/s, exactly
        file, text = self.machine(self.log("line.log", line))
        for words in (text, file.read_text()):
            self.assertRegex(
                words, r"DO NOT USE this machine: its times are off by \d+\.\d % in the mean, an alpha-beta "
            )
        scattered, _ = self.machine(LOGS / "polaris.log")  # at 128 KiB it took 2.7 times as long as its neighbours tell
        self.assertIn("off by 11.0 % in the mean, more than 10 %.", scattered.read_text())
        for arguments in (["a100.log"], ["polaris.log", "--from", "256KiB"]):
            self.assertNotIn("DO NOT USE", self.machine(LOGS / arguments[0], *arguments[1:])[1])

    def test_the_json_of_a_log_makes_the_same_machine(self):
        times, json_file = self.measured(), self.folder / "out.json"
        half = {
            size: {"time": us, "alg_bw": size / us / 1e3, "bus_bw": size / us / 1e3 * 7 / 4}
            for size, us in times.items()
        }
        rows = [{"size": size, "redop": "sum", "root": "-1", "out_of_place": half[size]} for size in times]
        devices = [{"rank": 0, "hostname": "x3001"}]
        config = {"nthreads": 1, "ngpus": 8, "devices": devices}
        json_file.write_text(json.dumps({"version": 2, "config": config, "results": rows}))
        self.assertIn("launch 37620ns and bandwidth 1853498Mbps", self.machine(json_file)[1])
        json_file.write_text("{" + json_file.read_text())
        self.assertIn("out.json: line 1: is no whole JSON", self.refused(json_file))

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
                (self.log("zero.log", {1 << 20: 0.0000001, 1 << 21: 9, 1 << 22: 9}),),
                "zero.log: line 10: has a time of 1e-07 us",
            ),
            ((self.log("two.log", self.measured(), 2, factor=0.5),), "two.log: line 5: busbw is 0.50 times algbw"),
            (("/dev/zero",), "/dev/zero: is a pipe or a device"),
            (
                (LOGS / "a100.log", LOGS / "polaris.log"),
                "polaris.log: 8 ranks, 4 a node, and a log before it has 8 ranks, 8",
            ),
            ((LOGS / "a100.log", "--ranks", "1"), "--ranks"),
        ):
            self.assertIn(says, self.refused(*arguments))


if __name__ == "__main__":
    unittest.main()
