"""scripts/engine_loss: the tables that it makes of a sweep's rows."""

import unittest
from pathlib import Path

from tests.scripts.loading import script

engine_loss = script("engine_loss")
RESULTS = Path(__file__).resolve().parents[2] / "results/oscar-hw"
# Per variant: speed-up and bits. The last has 4 bits and balance 1, so that the bytes allow 8.
VARIANTS = [("real", "500ns", "5Gbps", 4, 5), ("other", "500ns", "5Gbps", 2, 6), ("endless", "500ns", "5Gbps", 5, 5),
            ("long", "500ns", "5Gbps", 6, 4.5), ("long", "500ns", "9Gbps", 6.6, 4.5), ("long", "0ns", "9Gbps", 7.5, 4.5),
            ("one", "500ns", "5Gbps", 3, 4)]


def rows(traces=("a", "b")):
    """Rows of two methods; the speed-ups of trace b are half of those of trace a, and so is its bound."""
    result = []
    for trace, factor in zip(traces, (1, 0.5)):
        for link in ("1Gbps", "400Gbps"):
            for engine, propagation, dma, speed, bits in VARIANTS:
                row = {"trace": trace, "network.link.bandwidth": link, "engine": engine,
                       "network.link.propagation": propagation, "gpu.dma_bandwidth": dma, "allreduce_ps": 200, "imbalance": 1.0,
                       "bits_per_value": bits / factor, "speedup.fp32": speed * factor, "sums_match_reference": 1,
                       **{f"critical_path.{cause}_ps": 40 for cause in engine_loss.causes.NAMES}}
                result += [dict(row, method="fp32"), dict(row, method="oscar-hw")]
    return result


class Loss(unittest.TestCase):
    def setUp(self):
        self.sweep = engine_loss.Sweep(rows())

    def test_the_bound_is_what_the_bytes_of_the_last_variant_allow(self):
        self.assertAlmostEqual(self.sweep.bound("a", "1Gbps"), 8)
        self.assertAlmostEqual(self.sweep.bound("b", "400Gbps"), 4)

    def test_each_idealisation_has_the_factor_that_it_gives(self):
        line = engine_loss.attribution(self.sweep, "1Gbps").splitlines()[2]
        self.assertEqual(line, "| a | 8.00 | 4.00 | 50.0 % | x 1.250 | x 1.200 | x 1.100 | x 1.136 | 93.8 % |")

    def test_the_mean_over_traces_is_geometric_and_stands_last(self):
        last = engine_loss.attribution(self.sweep, "1Gbps").splitlines()[-1]
        self.assertIn("| 50.0 % | x 1.250 |", last)   # both reach a half of their bound

    def test_framings_are_those_of_the_engine_as_it_is_not_the_idealised(self):
        lines = engine_loss.framings(self.sweep).splitlines()[2:]
        self.assertEqual([line.split("`")[1] for line in lines], ["real", "other"])
        self.assertIn("| **50.0 %** | **50.0 %** |", lines[0])   # the best
        self.assertIn("| 25.0 % | 25.0 % |", lines[1])           # 2 of 8

    def test_causes_are_shares_of_the_allreduce_time(self):
        self.assertIn("| 1Gbps | 20.0 % |", engine_loss.causes_by_link(self.sweep))

    def test_the_text_says_how_many_runs_differ_from_the_reference(self):
        generated = engine_loss.Sweep(rows())
        self.assertIn("0 runs differ", engine_loss.engine_md(self.sweep, generated, "1"))
        next(iter(generated.rows.values()))["sums_match_reference"] = 0
        self.assertIn("1 runs differ", engine_loss.engine_md(self.sweep, generated, "1"))


class Committed(unittest.TestCase):
    def test_the_committed_page_is_what_the_committed_csv_files_give(self):
        self.assertTrue((RESULTS / "ENGINE.md").read_text(encoding="utf-8") == engine_loss.page_of(RESULTS))


if __name__ == "__main__":
    unittest.main()
