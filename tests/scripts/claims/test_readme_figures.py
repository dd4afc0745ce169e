"""README.md's demo, docs/demo.md, docs/extend.md and results/gradients:
their figures are those of the program and of the tables.

What README.md has found is in test_readme_claims.py, what docs/results.md claims in test_results_claims.py."""

import math
import re
import unittest
from functools import lru_cache
from pathlib import Path

from tests.scripts.loading import script

script("validate")  # names the folder of oscar_validation
from oscar_validation import program  # noqa: E402

ROOT = Path(__file__).resolve().parents[3]


def words(page):
    """The text of a page, its line breaks as spaces."""
    return " ".join((ROOT / page).read_text(encoding="utf-8").split())


DEMO = words("docs/demo.md")


@lru_cache
def report(name, *overrides):
    """The methods of configs/experiments/NAME.yaml, by name."""
    written = program.call("run", ROOT / f"configs/experiments/{name}.yaml", overrides)
    return {method["name"]: method for method in written["methods"]}


class Demo(unittest.TestCase):
    def test_the_speed_ups_by_link_are_those_of_the_same_command(self):
        for link in ("10Gbps", "100Gbps", "400Gbps"):
            over = report("demo", f"network.link.bandwidth={link}")["asc"]["speedup"]
            self.assertIn(f"{over['fp32']:.2f}× / {over['fixed_point']:.2f}× at {link}", DEMO)

    def test_the_readme_names_the_error_of_the_demos_integers(self):
        wrong = {
            report("demo")[method]["relative_l2_error"]
            for method in ("fixed_point", "atalanta", "atalanta-inline", "asc")
        }
        self.assertEqual(len(wrong), 1)  # the coders lose nothing
        self.assertIn(f"whose sums have a relative L2 error of {wrong.pop():.3f}:", words("README.md"))

    def test_the_gain_over_atalanta_is_that_of_the_demo(self):
        over = report("demo")["asc"]["speedup"]
        self.assertIn(f"ASC is {100 * (over['atalanta'] - 1):.1f} % faster than Atalanta with one table", DEMO)
        self.assertIn(f"as fast ({over['atalanta-inline']:.3f}×) as Atalanta with a table sent in every message", DEMO)

    def test_the_gain_of_predicted_chunks_is_that_of_the_same_command(self):
        time = report("demo", "chunks=equal")["asc"]["allreduce_ps"]
        self.assertIn(f"with `--set chunks=equal` ASC takes {time / 1e6:.1f} us", DEMO)


class WhyTrustIt(unittest.TestCase):
    """The errors that README's first screen names are the largest of rows of results/validation."""

    def within(self, start):
        """The largest error of the rows whose name starts so, in percent, rounded up."""
        page = (ROOT / "results/validation/SUMMARY.md").read_text(encoding="utf-8")
        errors = re.findall(rf"^\| {start}[^|]*\|.*\| ([+-][\d.]+)% \| [\d.]+% \| yes \|$", page, re.MULTILINE)
        self.assertGreater(len(errors), 2, start)
        return f"{math.ceil(max(abs(float(error)) for error in errors))} %"

    def test_the_errors_against_published_figures_are_those_of_the_validation(self):
        readme = words("README.md")
        ring, switches = self.within("DGX H100 and its like: one node"), self.within("NVSwitches that add")
        self.assertIn(
            f"a ring inside one node of eight GPUs within {ring}, and with NVSwitches that add within {switches}",
            readme,
        )


class StepsOfTheDemo(unittest.TestCase):
    def figures(self, name, method):
        of = report(name)[method]
        return f"{of['speedup']['fp32']:.2f}", f"{of['step']['speedup']['fp32']:.3f}"

    def test_the_step_of_asc_stands_beside_that_of_uncoded_integers(self):
        collectives, step = self.figures("step", "asc")
        self.assertIn(f"ASC's AllReduces are {collectives} times as fast and the step {step} times;", DEMO)
        collectives, step = self.figures("step", "fixed_point")
        self.assertIn(f"uncoded integers' AllReduces are {collectives} times as fast and the step {step} times.", DEMO)

    def test_the_exposed_bucket_has_as_many_values_and_is_bound_by_latency(self):
        for method in ("asc", "fixed_point"):
            last = report("step")[method]["step"]["buckets"][-1]
            exposed = report("step")[method]["step"]["exposed_ps"]
            self.assertIn(f"the last bucket ({last['elements']} values)", DEMO)
            self.assertEqual(exposed, last["end_ps"] - last["ready_ps"])  # all that is exposed
        self.assertIn(f"({sum(b['elements'] for b in report('step')['asc']['step']['buckets']):,} values)", DEMO)

    def test_the_sharded_step_of_asc_stands_beside_that_of_uncoded_integers(self):
        (asc, asc_step), (integers, integers_step) = self.figures("fsdp", "asc"), self.figures("fsdp", "fixed_point")
        self.assertIn(
            f"ASC's reduce-scatters are {asc} times as fast and the step {asc_step} times; those of uncoded integers "
            f"are {integers} times as fast and the step {integers_step} times",
            DEMO,
        )

    def test_most_of_what_is_exposed_of_the_sharded_step_are_gathers(self):
        for method in ("asc", "fixed_point"):
            step = report("fsdp")[method]["step"]
            gathers = step["sharding"]["exposed_gather_forward_ps"] + step["sharding"]["exposed_gather_backward_ps"]
            self.assertGreater(gathers, 0.5 * step["exposed_ps"])


class Gradients(unittest.TestCase):
    """What results/gradients/SUMMARY.md says beside its table is in the table."""

    def setUp(self):
        self.page = (ROOT / "results/gradients/SUMMARY.md").read_text(encoding="utf-8")
        self.words = " ".join(self.page.split())
        lines = [
            [cell.strip() for cell in line.strip("| ").split("|")]
            for line in self.page.splitlines()
            if line.startswith("| ")
        ]
        self.rows = [cells for cells in lines if len(cells) == 11 and cells[1] in ("early", "late")]
        self.assertEqual(len(self.rows), 16)

    def column(self, number, large, stage=None):
        """The figures of the large or the small models."""
        return [
            float(row[number].rstrip("%"))
            for row in self.rows
            if (int(row[2].replace(",", "")) > 10**6) == large and stage in (None, row[1])
        ]

    def said(self, number, large, stage=None, digits=2):
        figures = self.column(number, large, stage)
        return f"{min(figures):.{digits}f} to {max(figures):.{digits}f}"

    def test_ranges_are_those_of_the_rows(self):
        self.assertIn(f"by {self.said(8, True)} in large models and {self.said(8, False)} in small ones", self.words)
        self.assertIn(
            f"{self.said(7, True, 'late')} in large models, {self.said(7, False, 'late')} in small ones", self.words
        )
        self.assertIn(
            f"{self.said(10, True, 'late')} late, against {self.said(10, False, 'late')} in the small ones", self.words
        )
        self.assertIn(
            f"{self.said(4, True, 'late', 0)} % late, against {self.said(4, False, 'late', 0)} % in the small ones",
            self.words,
        )
        self.assertIn(
            f"{self.said(5, True, 'late', 1)} bits a code late, against {self.said(5, False, 'late', 1)}", self.words
        )
        more = [after - before for after, before in zip(self.column(6, True, "late"), self.column(5, True, "late"))]
        self.assertIn(f"need {min(more):.1f} to {max(more):.1f} bits more than codes of one rank", self.words)


class Rooms(unittest.TestCase):
    """What docs/extend.md says of the sources."""

    def test_the_files_with_processes_are_those_that_it_names(self):
        processes = {
            str(file.relative_to(ROOT))
            for file in (ROOT / "models").rglob("*.[ch]pp")
            for line in file.read_text(encoding="utf-8").splitlines()
            if re.match(r" +SC_(METHOD|C?THREAD)\(", line)
        }
        sentence = re.search(r"One `SC_METHOD` .*? of their own", words("docs/extend.md"))[0]
        self.assertEqual(set(re.findall(r"`(models/[\w/]+\.cpp)`", sentence)), processes)

    def test_families_that_share_a_file_pair_are_named_as_such(self):
        self.assertIn(
            "share a file pair per family (`models/partition/chunks.hpp`, `models/partition/classes.hpp`, "
            "`models/quantise/quantiser.hpp`)",
            words("docs/extend.md"),
        )
        for header, family in (
            ("partition/chunks", "chunk_kinds"),
            ("partition/classes", "classifiers"),
            ("quantise/quantiser", "quantisers"),
        ):
            text = (ROOT / f"models/{header}.hpp").read_text(encoding="utf-8")
            self.assertIn(f"inline constexpr auto {family} = ", text)


if __name__ == "__main__":
    unittest.main()
