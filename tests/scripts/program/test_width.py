"""What oscar-sim prints keeps to the width of its terminal."""

import re
import tempfile
import unittest

from tests.scripts.program.terminal import DEMO, PROGRAM, QUICK, ROOT, Terminal, need_terminals, piped

# Settings with which the slow ones of the shipped experiments end at once; their tables have the same rows and columns.
SMALLER = {
    "co-design": ("trace=traces/lenet-fmnist",),
    "oscar-hw": ("iterations.count=1", "fidelity=message"),
    "synthetic": ("size=1MiB",),
}

setUpModule = need_terminals


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
            r"^  --set KEY=VALUE ",
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


if __name__ == "__main__":
    unittest.main()
