"""scripts/oscar_hw: the tables that it makes of a sweep's rows."""

import unittest
from pathlib import Path

from tests.scripts.loading import script

oscar_hw = script("oscar_hw")
from oscar_summary import geometric, oscar_hw_captured, oscar_hw_page, oscar_hw_sweeps, oscar_hw_words, spread  # noqa: E402

RESULTS = Path(__file__).resolve().parents[2] / "results/oscar-hw"
SPEEDS = {"fp32": 1, "bf16": 2, "atalanta-equal-delta-gather": 5, "oscar-hw-delta-gather": 10, "fixed_point": 3, "atalanta-equal": 4, "atalanta-balanced": 5, "atalanta-local-balanced": 4.5,
          "asc-balanced": 5, "asc-adapt-symbol": 6, "aac-symbol": 5, "rans-classes": 9, "oscar-hw-equal": 5, "oscar-hw-predicted": 6,
          "oscar-hw-round-robin": 7, "oscar-hw": 8}
WIDE = {"engine": "wide", "network.link.bandwidth": "1Gbps", "collective.issue": "lock_step", "collective.slices": 1}


def rows(**point):
    """Two traces, whose speed-ups over fp32 are those of SPEEDS and half of them."""
    result = []
    for trace, factor in (("a", 1), ("b", 0.5)):
        of = {m: (1 if m == "fp32" else s * factor) for m, s in SPEEDS.items()}
        result += [{"trace": trace, "method": method, "bits_per_value": 32 / of[method], "imbalance": 1.0,
                    "allreduce_ps": 1000 / of[method], "relative_l2_error": 0.1 * factor, "cosine": 1 - 0.1 * factor,
                    "entropy_bits_per_value": 32 / of[method] * 0.8, "sums_match_reference": 1,
                    **{f"speedup.{m}": of[method] / of[m] for m in SPEEDS}, **point} for method in SPEEDS]
    return result


def ablations():
    fast = {"engine": "narrow", "network.link.bandwidth": "400Gbps"}
    return [*rows(**WIDE), *rows(**dict(WIDE, engine="narrow")), *rows(**dict(WIDE, **fast)),
            *rows(**dict(WIDE, **{"collective.issue": "dependency"}))]


def matrix():
    return [row for ranks in (4, 8) for link in ("1Gbps", "400Gbps")
            for row in rows(quantiser="int8", ranks=ranks, **{"network.link.bandwidth": link})]


def steps():
    return [{"trace": trace, "overlap": overlap, "method": method, "exposed_share": 0.4 / speed,
             "speedup.fp32": 1 + speed / 10, "amdahl.fp32.allreduce_speedup": speed, "amdahl.fp32.predicted": 1.5,
             "amdahl.fp32.difference": 0.01 * overlap - 0.02}
            for overlap in (False, True) for trace in ("a", "b") for method, speed in SPEEDS.items()]


def delta_gather():
    return [row for gather in ("forward", "reverse") for row in rows(**dict(WIDE, **{"collective.all_gather_direction": gather}))]


def at_true_size():
    """One trace on two machines: with fp32 in GPU memory DMA takes 3/4 of the time and nothing is twice as fast as fp32."""
    paths = {f"critical_path.{cause}_ps": 0 for cause in oscar_hw.causes.NAMES}
    slow = [row | paths | {"speedup.fp32": 1 + SPEEDS[row["method"]] / 100, "critical_path.dma_ps": 0.75 * row["allreduce_ps"],
                           "critical_path.engine_ps": 0.25 * row["allreduce_ps"]}
            for row in rows(**{"network.link.bandwidth": "400Gbps", "gpu.gradients": "fp32"}) if row["trace"] == "a"]
    codes = [row | paths for row in rows(**{"network.link.bandwidth": "400Gbps", "gpu.gradients": "codes"})
             if row["trace"] == "a"]
    return slow + codes


def captured():
    """Buckets on a link, and at half the speed on a faster one, there without Atalanta."""
    paths = {f"critical_path.{cause}_ps": 0 for cause in oscar_hw.causes.NAMES}
    made = []
    for link, slower in (("200Gbps", 1), ("400Gbps", 2)):
        for row in rows(**{"network.link.bandwidth": link, "gpu.gradients": "codes"}):
            if link == "400Gbps":
                row = {key: value for key, value in row.items() if key != "speedup.atalanta-balanced"}
            made.append(row | paths | {"speedup.fp32": row["speedup.fp32"] / slower, "critical_path.dma_ps": 0.75 * row["allreduce_ps"],
                                       "payload": "encoded" if (link, row["trace"]) == ("400Gbps", "a") else "size_only"})
    return made


def summary(of_ablation=None):
    return oscar_hw_page.summary(matrix(), of_ablation or ablations(), steps(), delta_gather(), at_true_size(), "1")


class Tables(unittest.TestCase):
    def test_deltas_have_an_ablation_for_each_direction_of_the_all_gather(self):
        heads = [line for line in oscar_hw_sweeps.of_delta_gather(delta_gather()).splitlines() if line.startswith("###")]
        self.assertEqual([head.split(",")[0] for head in heads], ["### All-gather forward", "### All-gather reverse"])

    def test_the_best_methods_stand_beside_their_baseline_whole_and_as_deltas(self):
        lines = oscar_hw_sweeps.worth(delta_gather()).splitlines()
        self.assertEqual([line.split(" | ")[1:3] for line in lines[2:]],
                         [[gather, method] for gather in ("forward", "reverse") for method in ("oscar-hw", "oscar-hw-delta-gather")])
        # 10 and 5 over fp32; 10/4 over the baseline, 10/5 where that sends deltas too; all that the bytes allow
        self.assertIn("| 7.07 (5.00-10.00) | 2.50 (2.50-2.50) | 2.00 (2.00-2.00) | 2.500 | 1.000 | 100.0 % |", lines[3])

    def test_means_are_geometric_and_stand_beside_their_spread(self):
        self.assertAlmostEqual(geometric([2, 8]), 4)
        self.assertEqual(spread([2, 8]), "4.00 (2.00-8.00)")

    def test_the_ablation_has_a_line_per_method_and_the_worst_error(self):
        setting = oscar_hw_words.Setting.all_of(ablations())[0]
        lines = oscar_hw_sweeps.ablation(setting).splitlines()
        self.assertEqual(len(lines), 2 + len(SPEEDS))
        best = next(line for line in lines if line.startswith("| oscar-hw |"))
        self.assertIn("| 5.66 (4.00-8.00) |", best)     # sqrt(8 * 4)
        self.assertIn("| 2.00 (2.00-2.00) |", best)     # over atalanta-equal
        self.assertIn("| 100.0 % | 0.100 |", best)      # all that the bytes allow; the worse of 0.1 and 0.05

    def test_settings_are_told_apart_by_engine_link_issue_and_slices(self):
        settings = oscar_hw_words.Setting.all_of(ablations())
        self.assertEqual([(s.engine, s.issue) for s in settings],
                         [("wide", "lock_step"), ("narrow", "lock_step"), ("narrow", "lock_step"), ("wide", "dependency")])
        self.assertTrue(all(len(s.rows) == 2 * len(SPEEDS) for s in settings))

    def test_the_gap_is_that_of_coded_bits_over_the_entropy(self):
        line = oscar_hw_sweeps.by_trace(oscar_hw_words.Setting.all_of(ablations())[0]).splitlines()[2]
        self.assertIn("| a | 8.000 | 4.000 | 3.200 | +25.0 % | 4.00 | 8.00 | 2.00 |", line)   # 1 / 0.8

    def test_slices_are_compared_on_the_first_engine_only(self):
        head = oscar_hw_sweeps.by_slices(oscar_hw_words.Setting.all_of(ablations())).splitlines()[0]
        self.assertEqual(head, "| method | lock_step, 1 | dependency, 1 | x atalanta-equal: lock_step, 1 "
                               "| x atalanta-equal: dependency, 1 |")

    def test_each_baseline_has_a_line_per_quantiser_and_number_of_ranks(self):
        lines = oscar_hw_sweeps.by_baseline(matrix(), "bf16").splitlines()
        self.assertEqual(len(lines), 2 + 2)
        self.assertTrue(lines[2].startswith("| `int8` | 4 | 4.00 (4.00-4.00) | 4.00 (4.00-4.00) | 5.66 |"))
        self.assertTrue(lines[2].endswith("| 0.071 | 0.900 |"))   # sqrt(0.1 * 0.05); the worse of 0.9 and 0.95

    def test_published_factors_stand_beside_those_of_each_machine_to_the_fast_link_and_true_size(self):
        text = oscar_hw_sweeps.published(oscar_hw_words.Setting.all_of(ablations()), steps(), at_true_size())
        lines = [line for line in text.splitlines() if line.startswith("| AllReduce, OSCAR-HW")]
        self.assertEqual([line.split(" | ")[1:4] for line in lines],
                         [["3.77", "1Gbps, lanes that limit nothing", "5.66 (4.00-8.00)"], ["3.77", "1Gbps, 64 lanes at 1 GHz", "5.66 (4.00-8.00)"],
                          ["3.77", "400Gbps, 64 lanes at 1 GHz", "5.66 (4.00-8.00)"],
                          ["3.77", "400Gbps, 64 lanes at 1 GHz, 4,000,000 values", "1.08 (1.08-1.08)"]])
        self.assertIn("| 1.05 | 1Gbps, lanes that limit nothing | 1.11 (1.11-1.11) |", text)   # 5 / 4.5
        self.assertIn("| 1.38 | 1Gbps, 64 lanes at 1 GHz, no overlap | 1.80 (1.80-1.80) | `oscar-hw` / `fp32`: 40 % of fp32's step", text)

    def test_captured_buckets_reach_a_published_factor_on_the_links_where_their_mean_does(self):
        made = captured()
        self.assertEqual(oscar_hw_captured.links_that_reach(made, "codes", oscar_hw_words.PUBLISHED[0]), "on links of 200Gbps (tried: 200Gbps, 400Gbps)")   # 3.77 of 5.66 and 2.83
        self.assertEqual(oscar_hw_captured.links_that_reach(made, "fp32", oscar_hw_words.PUBLISHED[0]), "not run")
        claim = ("ASC over Atalanta", 1.05, "asc-balanced", "atalanta-balanced")
        self.assertEqual(oscar_hw_captured.links_that_reach(made, "codes", claim), "on no link (tried: 200Gbps)")   # 5 / 5; the other link has no Atalanta
        self.assertIn("| 1.05 | `asc-balanced` / `atalanta-balanced` | on no link (tried: 200Gbps) | not run |", oscar_hw_captured.reached_on_captured_buckets(made))

    def test_a_baseline_that_a_machine_was_not_run_with_has_no_factor(self):
        slow, fast = oscar_hw_captured.on_captured_buckets(captured()).splitlines()[2:]
        self.assertTrue(slow.startswith("| 200Gbps | codes | 5.66 (4.00-8.00) |") and "not run" not in slow)
        self.assertEqual(fast.count("not run"), 2)   # OSCAR-HW and ASC over Atalanta
        self.assertTrue(slow.endswith("| 0.071 (0.050-0.100) | the DMA, 75 % |"))

    def test_the_share_of_buckets_with_real_bytes_is_told(self):
        made = captured()
        self.assertEqual(oscar_hw_captured.in_bytes(made), f"{len(made) // 4} of {len(made)} (25 %)")
        self.assertIn(f"All {sum(map(len, (matrix(), ablations(), delta_gather(), at_true_size())))} (100 %) carried real bytes",
                      summary().split("\n\n")[1])

    def steps_on(self, *links):
        """A row per link and method of a VGG-16's training steps."""
        path = {f"critical_path.{cause}_ps": 1 for cause in oscar_hw.causes.NAMES}
        return [{"trace": "vgg16-fmnist", "network.link.bandwidth": link, "share": 16, "ready": "operations", "method": method, "step_ps": step,
                 "values": 10, "exposed_share": 0.4, "allreduce_ps": 5, **path}
                for link in links for method, step in (("fp32", 9), ("bf16", 8), ("fixed_point", 7), ("oscar-hw", 6))]

    def test_the_links_of_steps_are_in_the_order_of_their_rates(self):
        self.assertIn("links of 25, 50, 100 Gbit/s", oscar_hw_captured.captured_steps_in_words(self.steps_on("25Gbps", "100Gbps", "50Gbps")))

    def test_the_step_of_captured_models_names_gpus_links_and_the_implied_share(self):
        text = oscar_hw_captured.captured_steps_in_words(self.steps_on("100Gbps"))
        self.assertIn("VGG-16 on V100 16GB (Amazon p3)), buckets of 25 MiB", text)
        self.assertIn("links of 100 Gbit/s", text)
        self.assertIn("1.50 (`oscar-hw`)", text)
        self.assertEqual(oscar_hw_captured.captured_steps_in_words([]), "")

    def test_at_true_size_each_method_has_what_its_critical_path_is_made_of(self):
        lines = oscar_hw_sweeps.at_true_size(at_true_size()).splitlines()
        self.assertEqual(len(lines), 2 + 2 * len(SPEEDS))
        self.assertIn("| 400Gbps | fp32 | oscar-hw | 1.08 | 2.67 | 4.000 | 1.000 | 0 % | 25 % | 75 % | 0 % | 0 % |", lines)

    def test_the_summary_names_dma_as_what_bounds_the_allreduce_at_true_size(self):
        self.assertIn("and 1.08 times on 4,000,000 values, limited by **DMA**: it is 75 % of the critical path", summary())

    def test_the_summary_says_in_words_which_coder_is_faster(self):
        text = summary()   # 9 against 8 times as fast for trace a, half of that for b: over sqrt(2)
        self.assertIn("`rans-classes` is faster than `oscar-hw`: 6.36 against 5.66 times as fast as fp32", text)
        self.assertIn("`asc-adapt-symbol` is faster than `aac-symbol`: 4.24 against 3.54", text)

    def test_no_small_trace_on_a_slow_link_is_said_to_stand_for_a_large_one(self):
        self.assertNotIn("stands for", summary())

    def test_steps_stand_beside_amdahls_law_and_where_it_is_furthest_off(self):
        lines = oscar_hw_sweeps.end_to_end(steps()).splitlines()
        self.assertEqual(len(lines), 2 + 2 * len(SPEEDS))
        best = [line for line in lines if "| oscar-hw |" in line]
        self.assertEqual(best[0], "| no | oscar-hw | 1.80 (1.80-1.80) | 8.00 (8.00-8.00) | 5.0 % | 1.50 | -2.0 % |")
        self.assertTrue(best[1].startswith("| yes |") and best[1].endswith("| -1.0 % |"))

    def test_the_summary_says_how_many_runs_differ_from_the_reference(self):
        of_ablation = ablations()
        self.assertIn(" 0 of them differ", summary(of_ablation))
        of_ablation[0]["sums_match_reference"] = 0
        self.assertIn(" 1 of them differ", summary(of_ablation))


class Committed(unittest.TestCase):
    def test_the_committed_summary_is_what_the_committed_csv_files_give(self):
        self.assertTrue((RESULTS / "SUMMARY.md").read_text(encoding="utf-8") == oscar_hw.summary_of(RESULTS))


if __name__ == "__main__":
    unittest.main()
