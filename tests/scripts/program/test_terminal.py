"""oscar-sim as it looks and behaves on a terminal, in a pipe, and where it is interrupted."""

import fcntl
import json
import os
import pty
import re
import signal
import struct
import subprocess
import tempfile
import termios
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = str(ROOT / os.environ.get("OSCAR_BUILD", "build/release") / "oscar-sim")
DEMO = ("run", "configs/experiments/demo.yaml")
QUICK = ("run", str(ROOT / "configs/experiments/synthetic.yaml"), "--set", "size=64KiB")
# Seconds of one AllReduce, with fp32 alone.
LONG = (
    "run",
    str(ROOT / "configs/experiments/peers.yaml"),
    "--set",
    "fidelity=flit",
    "--set",
    "ranks=16",
    "--set",
    "size=64MiB",
    "--set",
    "methods=[fp32]",
)
# Settings with which the slow ones of the shipped experiments end at once; their tables have the same rows and columns.
SMALLER = {
    "co-design": ("trace=traces/lenet-fmnist",),
    "oscar-hw": ("iterations.count=1", "fidelity=message"),
    "synthetic": ("size=1MiB",),
}
SEQUENCE = re.compile(r"\x1b\[[0-9;]*[mK]")
CLEAR = "\r\x1b[K"


def environment(**more):
    return (
        {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "NO_COLOR")}
        | {"TERM": "xterm"}
        | more
    )


def piped(*arguments, cwd=ROOT, **more):
    return subprocess.run(
        [PROGRAM, *arguments], cwd=cwd, env=environment(**more), capture_output=True, text=True, check=False
    )


def setUpModule():
    try:
        for end in pty.openpty():
            os.close(end)
    except OSError as error:
        raise unittest.SkipTest(f"no pseudo-terminals here; mount /dev/pts ({error})") from error


class Terminal:
    """The program on a terminal of so many columns."""

    def __init__(self, columns, *arguments, cwd=ROOT, **more):
        self._screen, program = pty.openpty()
        fcntl.ioctl(program, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        self.process = subprocess.Popen(
            [PROGRAM, *arguments], cwd=cwd, env=environment(**more), stdin=program, stdout=program, stderr=program
        )
        os.close(program)
        self.text = ""

    def _read(self):
        try:
            part = os.read(self._screen, 1 << 16)
        except OSError:  # the program has ended
            part = b""
        self.text += part.decode(errors="replace")
        return bool(part)

    def read_until(self, pattern):
        while not re.search(pattern, self.text) and self._read():
            pass
        return self

    def read_to_end(self):
        while self._read():
            pass
        os.close(self._screen)
        self.process.wait()
        return self

    def lines(self):
        """What stood in each line, for progress all that ever did, without sequences."""
        return [SEQUENCE.sub("", part) for line in self.text.split("\n") for part in line.split("\r")]


class Width(unittest.TestCase):
    def check(self, columns, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            shown = Terminal(columns, *arguments, "-o", folder).read_to_end()
        self.assertEqual(shown.process.returncode, 0, shown.text)
        self.assertGreater(len(shown.lines()), 5)
        self.assertEqual([line for line in shown.lines() if len(line) > columns and not line.startswith(folder)], [])

    def test_no_row_of_a_shipped_experiment_is_wider_than_its_terminal(self):
        for file in sorted((ROOT / "configs/experiments").glob("*.yaml")):
            for columns in (80, 100, 120):
                with self.subTest(file=file.name, columns=columns):
                    smaller = SMALLER.get(file.stem, ()) if columns != 80 else ()
                    self.check(
                        columns,
                        "run",
                        f"configs/experiments/{file.name}",
                        *(word for value in smaller for word in ("--set", value)),
                    )

    def test_text_and_tables_follow_the_width_of_the_terminal(self):
        for name in ("demo", "fsdp", "jobs", "background"):
            self.check(72, "run", f"configs/experiments/{name}.yaml")
        for columns in (72, 100, 120):
            self.check(columns, *DEMO, "--explain")
        self.check(
            80,
            "traffic",
            "configs/traffic/mesh4-tornado.yaml",
            "--set",
            "traffic.measure=300",
            "--set",
            "saturation=null",
            "--set",
            "traffic.loads=[0.05]",
        )

    def test_descriptions_keep_to_the_width(self):
        families = re.findall(r"^  (\w+) ", piped("describe").stdout, re.MULTILINE)
        self.assertGreater(len(families), 30)
        for columns in (60, 80, 120):
            for words in ((), *((family,) for family in families), ("codec", "asc")):
                lines = piped("describe", *words, COLUMNS=str(columns)).stdout.splitlines()
                self.assertEqual([line for line in lines if len(line) > columns], [], words)
        self.assertIn("\n    raw rate of one direction\n", piped("describe", "experiment").stdout)
        self.assertRegex(
            piped("describe", "experiment", COLUMNS="120").stdout,
            r"\nnetwork.link.bandwidth +400Gbps +1Mbps to 10Tbps +raw rate",
        )
        shown = Terminal(100, "describe", "network").read_to_end()
        self.assertTrue(90 < max(map(len, shown.lines())) <= 100)

    def test_help_says_what_stands_for_a_value_and_gives_defaults_one_way(self):
        text = "".join(
            piped(*words, "--help", COLUMNS="100").stdout
            for words in (("run",), ("sweep",), ("trace", "slice"), ("trace", "generate"))
        )
        self.assertNotRegex(text, r"REQUIRED|UINT|\(default [^:]")
        for line in (
            r"^  sweep +sweep to run \(YAML\), or its name among the shipped ones$",
            r"^  --set KEY=VALUE \.\.\.",
            r"^  -o,--output DIR ",
            r"^  --threads N .*\(default: 1\)|work on values \(default: 1\)",
            r"^  --iterations A:B ",
            r"^  --baseline METHOD ",
        ):
            self.assertRegex(text, re.compile(line, re.MULTILINE))

    def test_help_keeps_to_the_width_and_names_no_types_of_the_parser(self):
        commands = [
            (name,) for name in re.findall(r"^  (\w+) ", piped("--help").stdout.split("Subcommands:")[1], re.MULTILINE)
        ]
        commands += [
            ("trace", name)
            for name in re.findall(r"^  (\w+) ", piped("trace", "--help").stdout.split("Subcommands:")[1], re.MULTILINE)
        ]
        self.assertGreater(len(commands), 10)
        for words in ((), *commands):
            for columns in (80, 120):
                text = piped(*words, "--help", COLUMNS=str(columns)).stdout
                self.assertEqual(
                    [
                        line
                        for line in text.splitlines()
                        if len(line) > columns and not line.startswith("Usage: " + PROGRAM)
                    ],
                    [],
                    words,
                )
                self.assertNotIn(" in [", text)

    def test_a_trace_and_a_prediction_keep_to_the_width(self):
        for columns in (80, 100, 120):
            for trace in ("gpt2-window", "lenet-fmnist", "resnet20-fmnist"):
                shown = Terminal(columns, "trace", "info", f"traces/{trace}").read_to_end()
                self.assertEqual(
                    (shown.process.returncode, [line for line in shown.lines() if len(line) > columns]), (0, [])
                )
            for file in ("roofline", "polaris", "log-gop"):
                self.check(columns, "predict", f"configs/validation/{file}.yaml")

    def test_a_trace_has_one_table_of_layers_where_it_fits_else_two(self):
        def heads(columns):
            lines = piped("trace", "info", "traces/lenet-fmnist", COLUMNS=columns).stdout.splitlines()
            return [line.split() for line in lines if line.startswith("layer ")]

        (wide,), narrow = heads("160"), heads("80")
        self.assertEqual(len(narrow), 2)
        self.assertEqual(wide, narrow[0] + narrow[1][1:])

    def test_a_pipe_is_80_columns_wide_unless_columns_says_otherwise(self):
        with tempfile.TemporaryDirectory() as folder:
            usual = piped(*DEMO, "--legend", "-o", folder).stdout.splitlines()
            narrow = piped(*DEMO, "--legend", "-o", folder, COLUMNS="64").stdout.splitlines()
        self.assertTrue(70 < max(map(len, usual)) <= 80)
        self.assertTrue(55 < max(map(len, narrow)) <= 64)

    def test_names_of_methods_are_never_cut(self):
        names = (
            "methods=[{kind: fp32, name: a-very-long-name-of-a-method-one}, {kind: fp32, name: "
            "a-very-long-name-of-a-method-two}]"
        )
        with tempfile.TemporaryDirectory() as folder:
            text = piped(*QUICK, "--set", names, "-o", folder, COLUMNS="64").stdout
        table = text[text.index("method  ") : text.index("\nWhat the")].splitlines()
        joined = "".join(line.split("  ")[0].strip() for line in table)
        self.assertIn("a-very-long-name-of-a-method-one", joined)
        self.assertIn("a-very-long-name-of-a-method-two", joined)


class Tables(unittest.TestCase):
    def shown(self, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            done = piped(*DEMO, *arguments, "-o", folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def heads(self, text):
        """The words of each line that begins with `method`."""
        return [re.split(r" {2,}", line) for line in text.splitlines() if line.startswith("method")]

    def test_speed_ups_are_over_the_first_method_or_the_chosen_one(self):
        self.assertIn("Time, and its speed-up over fp32:", self.shown())
        asc = self.shown("--baseline", "asc")
        self.assertIn("Time, and its speed-up over asc:", asc)
        self.assertRegex(asc, r"\nfp32 +96\.830 +0\.393 ")
        self.assertIn("asc: the baseline; limited by latency", asc)

    def test_a_baseline_that_is_no_method_is_refused_before_the_run(self):
        done = piped(*DEMO, "--baseline", "acs", "-o", "/tmp/never")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(
            done.stderr,
            "oscar-sim: --baseline acs: no such method (did you mean asc?); known: fp32, fixed_point, atalanta, "
            "atalanta-inline, asc\n",
        )

    def test_wide_shows_all_columns_and_speed_ups_over_each_method(self):
        wide = self.heads(self.shown("--wide"))[0]
        for head in ("x fp32", "x asc", "imbalance", "cosine", "bus Gbit/s", "saturated"):
            self.assertIn(head, wide)
            self.assertNotIn(head, self.heads(self.shown())[0])
        self.assertNotIn("x asc", self.heads(self.shown("--wide", "--baseline", "fp32"))[0])

    def test_different_things_have_different_headings(self):
        heads = [head for line in self.heads(self.shown("--wide", "--explain")) for head in line if head != "method"]
        self.assertEqual(sorted(heads), sorted(set(heads)))

    def test_checks_of_the_simulation_and_the_legend_are_shown_where_they_are_asked_for(self):
        plain, legend, explained = self.shown(), self.shown("--legend"), self.shown("--explain")
        for text in (plain, legend):
            self.assertNotIn("closed form", text)
        self.assertNotIn("bits/value: payload bits", plain)
        self.assertIn("bits/value: payload bits", legend)
        self.assertIn("difference ns", explained)
        self.assertIn("latency us: of the critical path, propagation", explained)
        self.assertIn("limited by latency: fewer timesteps shorten it", explained)

    def test_each_method_has_a_sentence_with_its_speed_ups_and_its_limiter(self):
        with tempfile.TemporaryDirectory() as folder:
            text = piped(*DEMO, "-o", folder).stdout
            methods = {
                m["name"]: m for m in json.loads((Path(folder) / "report.json").read_text(encoding="utf-8"))["methods"]
            }
        asc = methods["asc"]
        share = 100 * asc["critical_path"]["latency_ps"] / asc["allreduce_ps"]
        self.assertIn(
            f"asc: {asc['speedup']['fp32']:.2f}x fp32 and {asc['speedup']['fixed_point']:.2f}x fixed_point; limited by "
            f"latency ({share:.0f} % of the critical path)",
            " ".join(text.split()),
        )
        self.assertIn(f"fixed_point: {methods['fixed_point']['speedup']['fp32']:.2f}x fp32; limited by link (", text)
        self.assertIn("fp32: the baseline; limited by link (", text)


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


class Progress(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def interrupt(self, *arguments):
        """The program, interrupted once it has shown some progress within its first piece of work."""
        shown = Terminal(80, *arguments, cwd=self.folder).read_until(r"\] [1-9]\d? %")
        shown.process.send_signal(signal.SIGINT)
        return shown.read_to_end()

    def test_one_allreduce_tells_how_far_it_is_and_how_long_it_still_takes(self):
        shown = Terminal(80, *LONG, cwd=self.folder).read_until(r"\] [3-9]\d %")
        shown.process.kill()
        shares = [int(share) for share in re.findall(r"\] (\d+) %, fp32", shown.read_to_end().text)]
        self.assertEqual(shares, sorted(shares))
        self.assertGreater(len(set(shares)), 2)
        self.assertRegex(shown.text, r"%, fp32, about \d+ (s|min \d+ s) left")

    def test_a_run_that_is_interrupted_leaves_neither_progress_nor_folders(self):
        shown = self.interrupt(*LONG)
        self.assertEqual(shown.process.returncode, -signal.SIGINT)  # 130 to a shell
        self.assertTrue(shown.text.endswith(CLEAR), shown.text[-80:])
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_shell_sees_130(self):
        shell = subprocess.Popen(
            ["bash", "-c", f"{PROGRAM} {' '.join(map(repr, LONG))}; echo $?"],
            cwd=self.folder,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        children = Path(f"/proc/{shell.pid}/task/{shell.pid}/children")
        while not (children.read_text().split() and (self.folder / "results").exists()):
            time.sleep(0.02)
        os.kill(int(children.read_text().split()[0]), signal.SIGINT)
        self.assertEqual(shell.communicate()[0].strip(), "130")

    def test_a_trace_that_is_interrupted_leaves_no_part_of_it(self):
        shown = self.interrupt("trace", "generate", str(self.folder / "trace"), "--elements", "20000000")
        self.assertIn("iteration 1 of 4", shown.text)
        self.assertEqual(shown.process.returncode, -signal.SIGINT)
        self.assertTrue(shown.text.endswith(CLEAR), shown.text[-80:])
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_traffic_tells_how_far_it_is(self):
        shown = Terminal(
            80,
            "traffic",
            "configs/traffic/mesh4-tornado.yaml",
            "--set",
            "traffic.measure=3000",
            "-o",
            str(self.folder / "out"),
        )
        self.assertRegex(shown.read_to_end().text, r"\] [1-9]\d %, load 0\.\d+, about \d+ s left")

    def test_one_load_of_traffic_tells_how_far_it_is(self):
        shown = Terminal(
            80,
            "traffic",
            "configs/traffic/mesh8-uniform.yaml",
            "--set",
            "saturation=null",
            "--set",
            "traffic.loads=[0.3]",
            "--set",
            "traffic.measure=100000",  # takes a second or more
            "-o",
            str(self.folder / "out"),
        ).read_to_end()
        shares = [int(share) for share in re.findall(r"\] (\d+) %, load 0\.3", shown.text)]
        self.assertEqual(shares, sorted(shares))
        self.assertGreater(len(set(shares)), 3)

    def test_a_pipe_sees_no_progress(self):
        self.assertEqual(piped(*DEMO, "-o", str(self.folder / "out")).stderr, "")


class Colours(unittest.TestCase):
    def test_are_for_terminals_only_and_not_for_those_who_want_none(self):
        with tempfile.TemporaryDirectory() as folder:
            run = (*QUICK, "-o", folder)
            self.assertIn("\x1b[1mmethod", Terminal(80, *run).read_to_end().text)
            self.assertNotIn("\x1b[1m", Terminal(80, *run, NO_COLOR="1").read_to_end().text)
            self.assertNotIn("\x1b", piped(*run).stdout)


class Words(unittest.TestCase):
    def test_the_version_names_commit_compiler_and_systemc(self):
        lines = piped("--version").stdout.splitlines()
        self.assertRegex(lines[0], r"^oscar-sim \d+\.\d+\.\d+$")
        self.assertRegex(lines[1], r"^commit ([0-9a-f]{12}(-dirty)?|unknown), compiled by \w+ \d+\S*, SystemC \d+\.\d+")

    def test_a_wrong_command_line_is_refused_in_one_line_that_says_where_help_is(self):
        for arguments, expected in (
            ((), "A subcommand is required; see oscar-sim --help"),
            (("run",), "config is required; see oscar-sim run --help"),
            (("trace", "slice", "a"), "output is required; see oscar-sim trace slice --help"),
            (("trace", "generate", "x", "--ranks", "0"), "see oscar-sim trace generate --help"),
            (("run", "a", "--set"), "see oscar-sim run --help"),
        ):
            done = piped(*arguments)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done.stderr)
            self.assertTrue(done.stderr.startswith("oscar-sim: "), done.stderr)
            self.assertIn(expected, done.stderr)


if __name__ == "__main__":
    unittest.main()
