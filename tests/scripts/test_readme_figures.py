"""README.md, docs/demo.md and docs/results.md: their figures are those of the program and of the recorded results."""

import re
import unittest
from functools import lru_cache
from pathlib import Path

from tests.scripts.loading import script

script("validate")   # names the folder of oscar_validation
from oscar_summary import geometric, records  # noqa: E402
from oscar_validation import program  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]


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

    def test_the_gain_over_atalanta_is_that_of_the_demo(self):
        over = report("demo")["asc"]["speedup"]
        self.assertIn(f"ASC is {100 * (over['atalanta'] - 1):.1f} % faster than Atalanta with one table", DEMO)
        self.assertIn(f"as fast ({over['atalanta-inline']:.3f}×) as Atalanta with a table sent in every message", DEMO)

    def test_the_gain_of_predicted_chunks_is_that_of_the_same_command(self):
        time = report("demo", "chunks=equal")["asc"]["allreduce_ps"]
        self.assertIn(f"with `--set chunks=equal` ASC takes {time / 1e6:.1f} us", DEMO)


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
            self.assertEqual(exposed, last["end_ps"] - last["ready_ps"])   # all that is exposed
        self.assertIn(f"({sum(b['elements'] for b in report('step')['asc']['step']['buckets']):,} values)", DEMO)

    def test_the_sharded_step_of_asc_stands_beside_that_of_uncoded_integers(self):
        (asc, asc_step), (integers, integers_step) = self.figures("fsdp", "asc"), self.figures("fsdp", "fixed_point")
        self.assertIn(f"ASC's reduce-scatters are {asc} times as fast and the step {asc_step} times; those of uncoded integers "
                      f"are {integers} times as fast and the step {integers_step} times", DEMO)

    def test_most_of_what_is_exposed_of_the_sharded_step_are_gathers(self):
        for method in ("asc", "fixed_point"):
            step = report("fsdp")[method]["step"]
            gathers = step["sharding"]["exposed_gather_forward_ps"] + step["sharding"]["exposed_gather_backward_ps"]
            self.assertGreater(gathers, 0.5 * step["exposed_ps"])


class TrueSize(unittest.TestCase):
    """What README and docs/results.md say of buckets of captured gradients is what results/where-it-pays/true-size.csv has."""

    PAGES = ("README.md", "docs/results.md")

    def setUp(self):
        keys = ("trace", "bucket", "network.link.bandwidth", "gpu.gradients", "payload")
        _, rows = records.read(ROOT / "results/where-it-pays/true-size.csv")
        self.rows = [row for row in records.with_speedups(rows, keys) if row["gpu.gradients"] == "codes"]

    def said(self, claim):
        for page in self.PAGES:
            self.assertIn(claim, words(page), page)

    def range(self, link, method, over, digits=1):
        """Least and most speed-up of a method over another, as README writes them."""
        found = [row[f"speedup.{over}"] for row in self.rows if (row["network.link.bandwidth"], row["method"]) == (link, method)]
        self.assertEqual(len(found), 3)
        return f"{min(found):.{digits}f} to {max(found):.{digits}f}"

    def test_its_factors_are_those_of_the_buckets(self):
        of = lambda link, over, digits=1: self.range(link, "oscar-hw", over, digits)
        self.said(f"OSCAR-HW is {of('400Gbps', 'fp32')} times as fast as fp32 and {of('400Gbps', 'fixed_point', 2)} times as fast as "
                  "uncoded integers at 400 Gbit/s, limited by DMA; "
                  f"{of('200Gbps', 'fp32')} and {of('200Gbps', 'fixed_point')} times at 200 Gbit/s, limited by the link")
        self.assertLess(float(of("800Gbps", "fixed_point", 2).split()[-1]), 1.01)   # "no faster"
        self.assertEqual(self.range("400Gbps", "fixed_point", "fp32"), "2.9 to 2.9")
        self.said("Uncoded integers alone are 2.9 times as fast as fp32 at 400 Gbit/s")

    def test_planning_that_is_not_hidden_costs_what_the_page_says(self):
        hidden, exposed = (report("co-design", "payload=size_only", f"gpu.planning={planning}")["oscar-hw"] for planning in ("hidden", "exposed"))
        of = lambda method, over: f"{method['speedup'][over]:.2f}"
        self.assertIn(f"OSCAR-HW is {of(exposed, 'fp32')} instead of {of(hidden, 'fp32')} times as fast as fp32 and {of(exposed, 'fixed_point')} instead "
                      f"of {of(hidden, 'fixed_point')} times as fast as uncoded integers", words("docs/results.md"))
        self.assertEqual(exposed["bottleneck"], "dma")

    def test_its_limiters_and_sizes_are_those_of_the_buckets(self):
        for link, limiter in (("400Gbps", "dma"), ("200Gbps", "wire"), ("800Gbps", "dma")):
            for row in self.rows:
                if (row["network.link.bandwidth"], row["method"]) == (link, "oscar-hw"):
                    self.assertEqual(max(("wire", "engine", "dma", "latency", "wait"), key=lambda c: row[f"critical_path.{c}_ps"]), limiter)
        values = [row["values"] / 1e6 for row in self.rows]
        self.said(f"({min(values):.1f} to {max(values):.1f} million values, 8 ranks")


class Grid(unittest.TestCase):
    """What docs/results.md says of OSCAR-HW over ASC alone is what results/where-it-pays/where-it-pays.csv has."""

    def test_its_factors_are_those_of_all_points(self):
        _, rows = records.read(ROOT / "results/where-it-pays/where-it-pays.csv")
        keys = ("scale", "trace", "gpu.gradients", "gpu.dma_bandwidth", "network.link.bandwidth")
        best = [row for row in records.with_speedups(rows, keys) if row["method"] == "oscar-hw"]
        over = [row["speedup.asc-balanced"] for row in best]
        self.assertIn(f"({len(over)} points, 8 ranks, [chunks of equal time](chunks.md#balance-of-time) for both) OSCAR-HW is {min(over):.2f} to "
                      f"{max(over):.2f} times as fast as ASC alone, {geometric(over):.2f} times on average", words("docs/results.md"))
        self.assertGreater(min(over), 1 / 1.01)   # "at no point more than 1 % slower"
        over = [min(row["speedup.asc-balanced"], row["speedup.asc-equal-bits"]) for row in best]
        self.assertIn(f"more than 1 % slower at {sum(ratio < 1 / 1.01 for ratio in over)} of them ({min(over):.3f} times as fast)", words("docs/results.md"))


class Steps(unittest.TestCase):
    """What README and docs/results.md say of training steps is what results/where-it-pays/step.csv has."""

    def test_their_factors_are_those_of_the_steps(self):
        _, rows = records.read(ROOT / "results/where-it-pays/step.csv")
        of = {(row["trace"], row["network.link.bandwidth"], row["method"]): row for row in rows
              if row["share"] == 16 and row["ready"] == "operations"}
        faster = lambda trace, link, method: of[trace, link, "fp32"]["step_ps"] / of[trace, link, method]["step_ps"]
        gpt, vgg = ({(link, method): f"{faster(trace, link, method):.2f}" for link in ("25Gbps", "100Gbps") for method in ("oscar-hw", "fixed_point")}
                    for trace in ("gpt2-kjv", "vgg16-fmnist"))
        said = (f"OSCAR-HW makes a step of GPT-2 small (124 million values, A100) {gpt['25Gbps', 'oscar-hw']} times and uncoded integers make it "
                f"{gpt['25Gbps', 'fixed_point']} times as fast as fp32 at 25 Gbit/s, {gpt['100Gbps', 'oscar-hw']} and {gpt['100Gbps', 'fixed_point']} times at "
                f"100 Gbit/s; a step of VGG-16 (138 million values, V100) {vgg['100Gbps', 'oscar-hw']} and {vgg['100Gbps', 'fixed_point']} times at 100 Gbit/s, limited by the link")
        for page in ("README.md", "docs/results.md"):
            self.assertIn(said, words(page), page)
        at_400 = [faster(trace, "400Gbps", "oscar-hw") for trace in ("resnet50-fmnist", "gpt2-kjv", "vgg16-fmnist")]
        self.assertLess(max(at_400), 1.02)   # "at most 2 %"
        for key in (("gpt2-kjv", "25Gbps"), ("gpt2-kjv", "100Gbps"), ("vgg16-fmnist", "100Gbps")):
            row = of[(*key, "oscar-hw")]
            self.assertEqual(max(("wire", "engine", "dma", "latency", "wait"), key=lambda c: row[f"critical_path.{c}_ps"]), "wire")


class Gradients(unittest.TestCase):
    """What results/gradients/SUMMARY.md says beside its table is in the table."""

    def setUp(self):
        self.page = (ROOT / "results/gradients/SUMMARY.md").read_text(encoding="utf-8")
        self.words = " ".join(self.page.split())
        lines = [[cell.strip() for cell in line.strip("| ").split("|")] for line in self.page.splitlines() if line.startswith("| ")]
        self.rows = [cells for cells in lines if len(cells) == 11 and cells[1] in ("early", "late")]
        self.assertEqual(len(self.rows), 16)

    def column(self, number, large, stage=None):
        """The figures of the large or the small models."""
        return [float(row[number].rstrip("%")) for row in self.rows
                if (int(row[2].replace(",", "")) > 10**6) == large and stage in (None, row[1])]

    def said(self, number, large, stage=None, digits=2):
        figures = self.column(number, large, stage)
        return f"{min(figures):.{digits}f} to {max(figures):.{digits}f}"

    def test_ranges_are_those_of_the_rows(self):
        self.assertIn(f"by {self.said(8, True)} in large models and {self.said(8, False)} in small ones", self.words)
        self.assertIn(f"{self.said(7, True, 'late')} in large models, {self.said(7, False, 'late')} in small ones", self.words)
        self.assertIn(f"{self.said(10, True, 'late')} late, against {self.said(10, False, 'late')} in the small ones", self.words)
        self.assertIn(f"{self.said(4, True, 'late', 0)} % late, against {self.said(4, False, 'late', 0)} % in the small ones", self.words)
        self.assertIn(f"{self.said(5, True, 'late', 1)} bits a code late, against {self.said(5, False, 'late', 1)}", self.words)
        more = [after - before for after, before in zip(self.column(6, True, "late"), self.column(5, True, "late"))]
        self.assertIn(f"need {min(more):.1f} to {max(more):.1f} bits more than codes of one rank", self.words)


class Rooms(unittest.TestCase):
    """What docs/extend.md says of the sources."""

    PAGE = ROOT / "docs/extend.md"

    def test_every_room_of_the_models_is_in_the_list(self):
        rooms = {f"models/{folder.name}" for folder in (ROOT / "models").iterdir() if folder.is_dir()}
        self.assertEqual(set(re.findall(r"(models/\w+) {2,}", self.PAGE.read_text(encoding="utf-8"))), rooms)

    def test_the_files_with_processes_are_those_that_it_names(self):
        processes = {str(file.relative_to(ROOT)) for file in (ROOT / "models").rglob("*.[ch]pp")
                     for line in file.read_text(encoding="utf-8").splitlines() if re.match(r" +SC_(METHOD|C?THREAD)\(", line)}
        sentence = re.search(r"One `SC_METHOD` .*? of their own", words("docs/extend.md"))[0]
        self.assertEqual(set(re.findall(r"`(models/[\w/]+\.cpp)`", sentence)), processes)

    def test_families_that_share_a_file_pair_are_named_as_such(self):
        self.assertIn("share a file pair per family (`models/partition/chunks`, `models/partition/classes`, `models/quantise/quantiser`)",
                      words("docs/extend.md"))
        for header, family in (("partition/chunks", "chunk_kinds"), ("partition/classes", "classifiers"), ("quantise/quantiser", "quantisers")):
            text = (ROOT / f"models/{header}.hpp").read_text(encoding="utf-8")
            self.assertIn(f"inline constexpr auto {family} = ", text)


if __name__ == "__main__":
    unittest.main()
