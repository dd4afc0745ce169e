"""docs/why-slow.md: its verdicts are those of its runs, and its remedies do what they say."""

import json
import re
import shlex
import unittest
from pathlib import Path

from tests.scripts.program.terminal import piped

ROOT = Path(__file__).resolve().parents[3]
SHOWN = {"--explain", "--timeline"}
# method, key=value, time, time without it, their ratio
ROW = re.compile(r"^(\S+) with (\S+=\S+): ([\d.]+) us instead of ([\d.]+), ([\d.]+) times as fast$")


def cases():
    """(words of the command, lines that it prints) of each indented command of the page."""
    found = []
    for block in re.findall(r"(?:^    .*\n|^\n(?=    ))+", (ROOT / "docs/why-slow.md").read_text(), re.MULTILINE):
        lines = [line.strip() for line in block.splitlines() if line.strip()]
        if lines[0].startswith("oscar-sim run"):
            words = [word for word in shlex.split(lines.pop(0))[1:] if word not in SHOWN]
            found.append((words[: words.index("-o")], []))
        found[-1][1].extend(lines)
    return found


class WhySlowPage(unittest.TestCase):
    def test_verdicts_are_those_of_the_runs(self):
        self.assertEqual(len(cases()), 3)
        for command, lines in cases():
            with self.subTest(command=command):
                done = piped(*command, "-o", "-")
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                report = json.loads(done.stdout)
                said = " ".join(line for line in lines if not ROW.match(line))
                for method in report["methods"]:
                    if method["name"] + ": " not in said:
                        continue
                    self.assertIn(f"limited by {method['bottleneck']} (", said)
                    if method["bottleneck"] == "wait":
                        self.assertIn(method["longest_step"]["sentence"], said)

    def test_remedies_make_methods_as_fast_as_the_page_says(self):
        rows = [(command, ROW.match(line)) for command, lines in cases() for line in lines if ROW.match(line)]
        self.assertEqual(len(rows), 6)
        for command, row in rows:
            method, change, after, before, factor = row.groups()
            with self.subTest(command=command, change=change):
                plain = command[:2] + [
                    word for word in command[2:] if word != "--set" and not word.startswith("methods=")
                ]
                words = plain[:2] + [word for setting in plain[2:] for word in ("--set", setting)]

                def time_of(*changes):
                    extra = [
                        word
                        for setting in (f"methods=[{method}]", "iterations.count=1", *changes)
                        for word in ("--set", setting)
                    ]
                    done = piped(*words, *extra, "-o", "-")
                    self.assertEqual(done.returncode, 0, done.stderr)
                    return json.loads(done.stdout)["methods"][0]["allreduce_ps"] / 1e6

                self.assertEqual(f"{time_of():.3f}", before)
                self.assertEqual(f"{time_of(change):.3f}", after)
                self.assertAlmostEqual(float(before) / float(after), float(factor), delta=0.005001)


if __name__ == "__main__":
    unittest.main()
