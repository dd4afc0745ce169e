"""The tables of a run: their columns, the speed-ups and the baseline, and the sentences below them."""

import json
import re
import tempfile
import unittest
from pathlib import Path

from tests.scripts.program.terminal import DEMO, piped


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
        self.assertRegex(asc, r"\nfp32 +96\.830 +0\.408 ")
        self.assertIn("asc: the baseline; limited by latency", asc)

    def test_a_baseline_that_is_no_method_is_refused_before_the_run(self):
        done = piped(*DEMO, "--baseline", "acs", "-o", "/tmp/never")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(
            done.stderr,
            "oscar-sim: --baseline acs: no such method (did you mean asc?); known: fp32, fixed_point, atalanta, "
            "atalanta-inline, asc, oscar_hw\n",
        )

    def test_wide_shows_all_columns_and_speed_ups_over_each_method(self):
        wide = self.heads(self.shown("--wide"))[0]
        for head in ("x fp32", "x asc", "imbalance", "cosine", "bus Gbit/s", "saturated"):
            self.assertIn(head, wide)
            self.assertNotIn(head, self.heads(self.shown())[0])
        self.assertNotIn("x asc", self.heads(self.shown("--wide", "--baseline", "fp32"))[0])

    def test_the_table_of_nccl_tests_has_a_row_for_each_method(self):
        shown = self.shown("--format", "nccl").splitlines()
        rows = [line.split() for line in shown if line and line[0] == " "]
        self.assertEqual([line for line in shown if "# method" in line][:2], ["# method fp32", "# method fixed_point"])
        self.assertEqual({tuple(row[:5]) for row in rows}, {("129304", "32326", "float", "sum", "-1")})
        self.assertEqual([row[8] for row in rows], ["0"] * 6)

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


if __name__ == "__main__":
    unittest.main()
