"""scripts/oscar_hw: the tables that it makes of a sweep's rows."""

import importlib.machinery
import importlib.util
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts/oscar_hw"


def load():
    loader = importlib.machinery.SourceFileLoader("oscar_hw", str(SCRIPT))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("oscar_hw", loader))
    loader.exec_module(module)
    return module


oscar_hw = load()
METHODS = {"fp32": 1, "widened": 2, "atalanta-equal": 4, "atalanta-balanced": 5, "asc-equal": 4, "asc-balanced": 5,
           "oscar-hw": 8, "oscar-hw-round-robin": 7}   # speed-up over fp32


def rows():
    """Two traces, whose speed-ups are those of METHODS and the half of them above one."""
    result = {}
    for trace, factor in (("a", 1), ("b", 0.5)):
        for ranks in (4, 8):
            for method, speed in METHODS.items():
                of = {m: (1 if m == "fp32" else s * factor) for m, s in METHODS.items()}
                result[oscar_hw.Key(trace, ranks, "int8", "1Gbps", method)] = {
                    "bits_per_value": 32 / of[method], "imbalance": 1.0, "relative_l2_error": 0.1 * factor,
                    "entropy_bits_per_value": 32 / of[method] * 0.8, "sums_match_reference": 1,
                    **{f"speedup.{m}": of[method] / of[m] for m in METHODS}}
    return result


class Tables(unittest.TestCase):
    def test_means_are_geometric_and_stand_beside_their_spread(self):
        self.assertAlmostEqual(oscar_hw.geometric([2, 8]), 4)
        self.assertEqual(oscar_hw.spread([2, 8]), "4.00 (2.00-8.00)")

    def test_the_ablation_has_a_line_per_method_and_the_worst_error(self):
        lines = oscar_hw.ablation(rows(), "int8", "1Gbps", 8).splitlines()
        self.assertEqual(len(lines), 2 + len(METHODS))
        best = next(line for line in lines if line.startswith("| oscar-hw |"))
        self.assertIn("| 5.66 (4.00-8.00) |", best)   # sqrt(8 * 4)
        self.assertIn("| 2.00 (2.00-2.00) |", best)   # over atalanta-equal
        self.assertIn("| 100 % | 0.100 |", best)      # all that the bytes allow; the worse of 0.1 and 0.05

    def test_the_gap_is_that_of_coded_bits_over_the_entropy(self):
        line = oscar_hw.by_trace(rows(), "int8", "1Gbps", 8).splitlines()[2]
        self.assertIn("| +25.0 % |", line)   # 1 / 0.8

    def test_published_factors_stand_beside_those_of_the_sweep(self):
        text = oscar_hw.published(rows(), "int8", "1Gbps", 8)
        self.assertIn("| OSCAR-HW over no compression | 3.77 | 5.66 (4.00-8.00) |", text)
        self.assertIn("| ASC over Atalanta | 1.05 | 1.00 (1.00-1.00) |", text)

    def test_the_summary_says_how_many_runs_differ_from_the_reference(self):
        all_rows = rows()
        self.assertIn("0 of them differ", oscar_hw.summary(all_rows, "1"))
        next(iter(all_rows.values()))["sums_match_reference"] = 0
        self.assertIn("1 of them differ", oscar_hw.summary(all_rows, "1"))


if __name__ == "__main__":
    unittest.main()
