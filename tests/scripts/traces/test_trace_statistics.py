"""scripts/trace_statistics: its figures are those that small traces have by hand, and of large ones it reads a sample.

Run: /usr/bin/python3 -m unittest tests/scripts/traces/test_trace_statistics.py
"""

import math
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
import yaml

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = ROOT / "scripts" / "trace_statistics"
sys.path.insert(0, str(ROOT / "python"))

from oscar_summary import trace_statistics as statistics


def write_trace(folder, arrays, stages=None, steps=None, **entry):
    """A trace of these arrays [ranks, values]; steps follow each other if not given."""
    folder.mkdir()
    entries = []
    for i, array in enumerate(arrays):
        np.save(folder / f"{i}.npy", array)
        stage = {"stage": stages[i]} if stages else {}
        entries.append({"file": f"{i}.npy", "step": steps[i] if steps else i, **stage, **entry})
    content = {"format": 1, "parameters": arrays[0].shape[1], "ranks": arrays[0].shape[0], "iterations": entries}
    (folder / "trace.yaml").write_text(yaml.safe_dump(content))
    return folder


def figures(folder, sample=statistics.SAMPLE):
    """[(stage, Figures)]."""
    return list(statistics.stages(folder, statistics.read_description(folder), sample))


def run(*arguments):
    return subprocess.run([sys.executable, SCRIPT, *map(str, arguments)], capture_output=True, text=True, check=False)


class Quantiser(unittest.TestCase):
    def test_peak_is_the_smallest_magnitude_that_999_of_1000_do_not_exceed(self):
        for count, peak in ((1, 1), (999, 999), (1000, 999), (1001, 1000), (2000, 1998), (2001, 1999)):
            self.assertEqual(statistics.peak_of(np.arange(-count, 0, dtype=np.float32)), peak, count)

    def test_codes_are_rounded_halves_away_from_zero_and_clamped(self):
        values = np.array([0, 0.49, 0.5, -0.5, 1.49, -126.5, 127.4, 200, -1e9])
        self.assertEqual(statistics.codes_of(values, 127.0).tolist(), [0, 0, 1, -1, 1, -127, 127, 127, -127])
        self.assertEqual(statistics.codes_of(values / 8, 127 / 8).tolist(), [0, 0, 1, -1, 1, -127, 127, 127, -127])
        self.assertEqual(statistics.codes_of(np.nextafter([0.5], 0), 127.0).tolist(), [0])

    def test_a_peak_of_zero_makes_all_codes_zero(self):
        self.assertEqual(statistics.codes_of(np.array([0.0, 3.0]), 0.0).tolist(), [0, 0])


class Measures(unittest.TestCase):
    def test_entropy(self):
        for counts, bits in (([4], 0), ([1, 1], 1), ([2, 0, 1, 1], 1.5), ([3, 1], 2 - 0.75 * math.log2(3))):
            self.assertAlmostEqual(statistics.entropy(np.array(counts)), bits)

    def test_imbalance_is_of_sizes_under_one_table(self):
        rare = np.zeros((8, 255))
        rare[:6, 127], rare[6:, 0] = 2, 2  # a quarter of the values has 2 bits, the others have log2(4/3)
        self.assertAlmostEqual(statistics.imbalance(rare), 2 / (0.25 * 2 + 0.75 * math.log2(4 / 3)))
        halves = np.zeros((8, 255))
        halves[:4, 3], halves[4:, 4] = 5, 5
        self.assertAlmostEqual(statistics.imbalance(halves), 1)
        self.assertEqual(statistics.imbalance(np.full((8, 1), 7)), 1)  # no bits at all

    def test_correlation_is_the_mean_over_the_pairs_in_whatever_pieces_they_come(self):
        rows = np.array(
            [[1, 2, 3, 5], [2, 4, 6, 10], [-1, -2, -3, -5], [4, 4, 4, 4]], np.float32
        )  # the last one is constant
        for cuts in ([], [1], [1, 3]):
            moments = statistics.Moments(4)
            for part in np.split(rows, cuts, axis=1):
                moments.add(part)
            self.assertAlmostEqual(moments.correlation(), -1 / 3)

    def test_without_a_pair_there_is_no_correlation(self):
        for rows in (np.array([[1.0, 2]]), np.ones((3, 2))):
            moments = statistics.Moments(len(rows))
            moments.add(rows)
            self.assertIsNone(moments.correlation())


class Pieces(unittest.TestCase):
    def test_a_sample_as_large_as_the_gradient_is_all_of_it(self):
        for elements in (1, 5, 64, 1000, 32767, 65537, 100_001):
            for sample in (elements, elements + 1, 10**6):
                places = [place for piece, _ in statistics.pieces(elements, sample) for place in range(elements)[piece]]
                self.assertEqual(places, list(range(elements)))

    def test_a_smaller_one_is_spread_evenly_over_the_gradient_and_the_chunks(self):
        found = statistics.pieces(10_240_000, 102_400)
        self.assertEqual({piece.stop - piece.start for piece, _ in found}, {100})
        self.assertEqual([piece.start for piece, _ in found], [10_000 * i + 4950 for i in range(1024)])
        self.assertEqual([chunk for _, chunk in found], [i // 128 for i in range(1024)])

    def test_a_short_gradient_is_in_fewer(self):
        self.assertEqual(
            [len(statistics.pieces(elements, 10**6)) for elements in (3000, 65535, 65536, 10**6)], [8, 8, 16, 240]
        )

    def test_each_lies_within_its_chunk(self):
        for elements in (9, 1000, 12345, 1_234_567):
            for piece, chunk in statistics.pieces(elements, 300):
                self.assertTrue(elements * chunk // 8 <= piece.start < piece.stop <= elements * (chunk + 1) // 8)


class Traces(unittest.TestCase):
    # Sixteen values whose largest magnitude is 127, so that they are their own codes.
    FIRST = np.array([[0] * 8 + [127] * 4 + [-127] * 4, [0] * 8 + [127] * 4 + [0] * 4], np.float32)
    SECOND = np.array([[0] * 6 + [127] * 6 + [-127] * 4, [0] * 5 + [3] * 7 + [127] * 4], np.float32)

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.parent = Path(temporary.name)

    def of(self, *arrays, name="t", **settings):
        return figures(write_trace(self.parent / name, arrays, **settings))

    def test_figures_of_one_iteration(self):
        [(stage, found)] = self.of(self.FIRST)
        self.assertEqual((stage, found.zeros, found.zero_codes), ("captured", 20 / 32, 20 / 32))
        self.assertAlmostEqual(found.entropy, (1.5 + (2 - 0.75 * math.log2(3))) / 2)
        self.assertAlmostEqual(found.sum_entropy, 1.5)  # 8 zeros, 4 times 254, 4 times -127
        self.assertAlmostEqual(found.ranks, np.corrcoef(self.FIRST)[0, 1])
        # Rank 0: chunks of two values with 2 or 4 bits; rank 1: log2(4/3) bits a zero and 2 a 127, in 2 of 8 chunks.
        self.assertAlmostEqual(found.imbalance, (4 / 3 + 2 / (0.25 * 2 + 0.75 * math.log2(4 / 3))) / 2)
        self.assertEqual((found.magnitudes, found.zeros_again), (None, None))

    def test_small_values_are_zeros_only_as_codes(self):
        values = np.full((2, 2000), 0.001, np.float32)
        values[0, :10], values[1, :500] = 1, 0
        [(_, found)] = self.of(values)
        self.assertEqual((found.zeros, found.zero_codes), (500 / 4000, 3990 / 4000))

    def test_the_step_is_that_of_the_first_rank(self):
        values = np.zeros((2, 16), np.float32)
        values[0], values[1, :8] = 100, 0.3
        values[1, 8:] = 10_000
        [(_, found)] = self.of(values)
        self.assertEqual(found.zero_codes, 8 / 32)
        self.assertAlmostEqual(found.sum_entropy, 1)  # 127 + 0 and 127 + 127

    def test_consecutive_iterations_are_compared(self):
        [(_, found)] = self.of(self.FIRST, self.SECOND)
        sums = [np.abs(array.sum(0)) for array in (self.FIRST, self.SECOND)]
        self.assertAlmostEqual(found.magnitudes, np.corrcoef(sums)[0, 1])
        self.assertEqual(found.zeros_again, 5 / 8)  # of the sum's zeros at 0 to 7 those at 0 to 4
        alone = [self.of(array, name=name)[0][1] for name, array in (("a", self.FIRST), ("b", self.SECOND))]
        for name in ("zeros", "zero_codes", "entropy", "sum_entropy", "ranks", "imbalance"):
            self.assertAlmostEqual(getattr(found, name), sum(getattr(one, name) for one in alone) / 2)

    def test_gaps_and_stages_are_not_bridged(self):
        for settings in ({"steps": [3, 5]}, {"stages": ["early", "late"]}):
            found = self.of(self.FIRST, self.SECOND, name=str(len(settings.get("stages", ()))), **settings)
            self.assertEqual([stage for stage, _ in found], settings.get("stages", ["captured"]))
            for _, one in found:
                self.assertEqual((one.magnitudes, one.zeros_again), (None, None))

    def test_at_most_eight_ranks_count(self):
        many = np.vstack([self.FIRST] * 4 + [np.full((3, 16), 99, np.float32)])
        self.assertEqual(self.of(many), self.of(many[:8], name="8"))

    def test_one_rank_and_no_gradient_at_all_have_figures(self):
        [(_, found)] = self.of(np.zeros((1, 40), np.float32))
        self.assertEqual(
            found, statistics.Figures(zeros=1, zero_codes=1, entropy=0, sum_entropy=0, ranks=None, imbalance=1)
        )

    def test_all_types_of_the_format_are_read(self):
        exact = np.array([[0.5, -1.5, 3, 0]], np.float32)
        stored = {
            "f4": (exact, {}),
            "f2": ((exact * 2**14).astype("<f2"), {"scale": 2**-14}),
            "bf16": ((exact.view("<u4") >> 16).astype("<u2").view("<V2"), {}),
        }
        for name, (array, entry) in stored.items():
            folder = write_trace(self.parent / name, [array], **entry)
            trace = statistics.read_description(folder)
            read = statistics.Reader(folder, trace, trace["iterations"][0])
            self.assertEqual(
                (read(0, slice(1, 4)).tolist(), read(0, slice(1, 4)).dtype), ([-1.5, 3, 0], np.float32), name
            )

    def test_a_sample_has_the_figures_of_the_whole_within_its_error(self):
        generator = np.random.default_rng(1)
        common = generator.laplace(size=300_000)
        values = (common + generator.laplace(size=(3, 300_000))).astype(np.float32)
        values[:, ::4] = 0
        folder = write_trace(self.parent / "t", [values, 0.5 * values + values[::-1]])
        (_, sampled), (_, whole) = figures(folder, 30_000)[0], figures(folder)[0]
        for name in statistics.FORMATS:
            self.assertNotEqual(
                getattr(sampled, name), getattr(whole, name) if name not in ("zeros", "zeros_again") else None
            )
            self.assertAlmostEqual(getattr(sampled, name), getattr(whole, name), delta=0.05, msg=name)

    def test_a_large_trace_needs_little_memory(self):
        folder = write_trace(self.parent / "t", [np.zeros((8, 1), "<f2")])
        text = (folder / "trace.yaml").read_text().replace("parameters: 1\n", "parameters: 100000000\n")
        (folder / "trace.yaml").write_text(text)
        with open(folder / "0.npy", "wb") as file:  # 1.6 GB that are a hole on the disk
            np.lib.format.write_array_header_1_0(
                file, {"descr": "<f2", "fortran_order": False, "shape": (8, 100_000_000)}
            )
            file.truncate(file.tell() + 2 * 800_000_000)
        code = (
            f"import resource, sys; sys.path.insert(0, {str(ROOT / 'python')!r})\n"
            "from pathlib import Path\nfrom oscar_summary import trace_statistics\n"
            f"trace_statistics.markdown([Path({str(folder)!r})], 1 << 18)\n"
            "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n"
        )
        result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        self.assertLess(int(result.stdout), 250_000)  # KiB


class Program(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.parent = Path(temporary.name)

    def test_a_row_per_trace_and_stage(self):
        a = write_trace(
            self.parent / "a", [Traces.FIRST, Traces.SECOND, Traces.FIRST], stages=["early", "early", "late"]
        )
        b = write_trace(self.parent / "b", [np.zeros((1, 4), np.float32)])
        result = run(a, b)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in result.stdout.splitlines()]
        self.assertEqual([len(row) for row in rows], [len(statistics.HEAD)] * 5)
        self.assertEqual(
            [row[:4] for row in rows[2:]],
            [["a", "early", "16", "48.4%"], ["a", "late", "16", "62.5%"], ["b", "captured", "4", "100.0%"]],
        )
        self.assertEqual(rows[3][4:], ["62.5%", "1.16", "1.50", "0.82", "-", "-", "1.899"])
        # 0.82: covariance 1/4, variances 1/2 and 1/4 - 1/16, in units of 127^2.
        self.assertEqual(rows[4][4:], ["100.0%", "0.00", "0.00", "-", "-", "-", "1.000"])

    def test_the_table_goes_to_a_file(self):
        trace, out = write_trace(self.parent / "a", [Traces.FIRST]), self.parent / "out.md"
        result = run(trace, "-o", out)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        self.assertEqual(out.read_text(), run(trace).stdout)

    def test_what_is_no_trace_is_told_in_one_line_with_status_2(self):
        good = write_trace(self.parent / "good", [Traces.FIRST])
        wrong = {
            name: write_trace(self.parent / name, [Traces.FIRST])
            for name in (
                "shape",
                "order",
                "short",
                "file",
                "yaml",
                "keys",
                "header",
                "tokens",
                "infinite",
                "ranks",
                "step",
            )
        }
        np.save(wrong["shape"] / "0.npy", np.zeros((2, 15), np.float32))
        np.save(wrong["order"] / "0.npy", np.asfortranarray(Traces.FIRST))
        (wrong["short"] / "0.npy").write_bytes((wrong["short"] / "0.npy").read_bytes()[:-4])
        (wrong["file"] / "0.npy").unlink()
        (wrong["yaml"] / "trace.yaml").write_text("a: [\nb")
        (wrong["keys"] / "trace.yaml").write_text("format: 1\n")
        (wrong["header"] / "0.npy").write_bytes(b"x" * 100)
        (wrong["tokens"] / "0.npy").write_bytes(b"\x93NUMPY\x01\x00\x06\x00{'a': (")
        np.save(wrong["infinite"] / "0.npy", np.full_like(Traces.FIRST, np.inf))
        for name, old, new in (("ranks", r"ranks: \d+", "ranks: many"), ("step", r"step: \d+", "step: late")):
            description = wrong[name] / "trace.yaml"
            description.write_text(re.sub(old, new, description.read_text()))
        for trace, words in (
            (self.parent / "none", "none/trace.yaml"),
            (wrong["file"], "0.npy"),
            (wrong["shape"], r"shape/0.npy has the shape \[2, 15\], not \[2, 16\]"),
            (wrong["order"], "order/0.npy .* in C order"),
            (wrong["short"], "short/0.npy: "),
            (wrong["yaml"], r"yaml/trace.yaml:2:\d: is no YAML: "),
            (wrong["keys"], "keys/trace.yaml does not describe a trace: there is no list of iterations"),
            (wrong["header"], "header/0.npy: is no whole array of fp16, bf16 or fp32"),
            (wrong["tokens"], "tokens/0.npy: is no whole array"),
            (wrong["infinite"], "infinite/0.npy: rank 0 has values that are not finite; capture"),
            (wrong["ranks"], "ranks/trace.yaml does not describe a trace: ranks is no whole number"),
            (wrong["step"], "step/trace.yaml does not describe a trace: iterations.0 has no file and step"),
        ):
            with self.subTest(trace.name):
                result = run(good, trace)
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
                self.assertRegex(result.stderr, f"^trace_statistics: .*{words}")

    def test_a_sample_of_nothing_is_refused(self):
        result = run(self.parent, "--sample", 0)
        self.assertEqual(result.returncode, 2)
        self.assertIn("at least 1 is wanted, not '0'", result.stderr)


class Shipped(unittest.TestCase):
    def test_zeros_and_correlations_are_those_of_the_readme(self):
        readme = (ROOT / "traces" / "README.md").read_text(encoding="utf-8")
        names = re.search(r"^\| ((\| [a-z0-9-]+-[a-z]+ ){5})\|$", readme, re.MULTILINE)[1].replace("|", " ").split()
        for quantity, figure, factor in (
            ("correlation between two workers' gradients", "ranks", 1),
            ("share of exact zeros in one worker's gradient", "zeros", 100),
        ):
            cells = re.search(rf"^\| {quantity} \| (.*) \|$", readme, re.MULTILINE)[1].split(" | ")
            for name, cell in zip(names, cells):
                stated = cell.replace("%", "").split("/")  # early, late
                found = [getattr(one, figure) * factor for _, one in figures(ROOT / "traces" / name)]
                self.assertEqual(len(stated), len(found))
                for number, value in zip(stated, found):
                    digits = len(number.strip().partition(".")[2])
                    self.assertAlmostEqual(float(number), value, delta=0.51 * 10**-digits, msg=name)


if __name__ == "__main__":
    unittest.main()
