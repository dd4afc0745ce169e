"""scripts/where_it_pays: the page and the figures that it makes of CSV files, and which runs of true size it leaves out.

Run: /usr/bin/python3 -m unittest tests/scripts/test_where_it_pays.py
"""

import contextlib
import importlib.util
import io
import json
import re
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import yaml

from tests.scripts.loading import script

pays = script("where_it_pays")
from oscar_summary import causes, pays_buckets, pays_grid, pays_machines, pays_quantisers, pays_words, where, where_it_pays  # noqa: E402

true_size, end_to_end, records = pays.true_size, pays.end_to_end, pays.records
METHODS = ("fp32", "fixed_point", "asc-balanced", "oscar-hw")
ON_GRID = (*METHODS, "asc-equal-bits", "bf16", "atalanta-balanced", "rans-classes")
RECORDED = {"quantiser": "8 bits of old", "gpu.dma_bandwidth": "504Gbps"}
RESULTS = Path(__file__).resolve().parents[2] / "results/where-it-pays"


def rows(times, cause="dma", breaks=600.0, names=METHODS, **keys):
    """A row per method of one point; what takes most of its critical path is `cause`."""
    made = []
    for method, time in zip(names, times):
        path = {f"critical_path.{name}_ps": time // 10 for name in causes.NAMES}
        path[f"critical_path.{cause}_ps"] = time - 4 * (time // 10)
        made.append({**keys, "method": method, "allreduce_ps": time, "bits_per_value": 5.0, "imbalance": 1.1, **path,
                     "break_even_bandwidth_gbps": None if method == "fp32" else breaks, "relative_l2_error": 0.4, "cosine": 0.9,
                     "sums_match_reference": True})
    return made


def grid():
    """Over fixed_point the best method wins 2 times at 100, by half a per cent at 400 and loses at 800, whatever the bus and form.
    Of the two kinds of chunks asc-balanced's are the better ones at 100 and 800."""
    made = []
    for trace in ("one-window", "two-window"):
        for scale in pays_words.SIZES:
            for form in pays_words.FORMS:
                for bus in pays_words.BUSES:
                    for link, times, cause in (("100Gbps", (8000, 2000, 1100, 1000, 2200, 4000, 1300, 1050), "wire"),
                                               ("400Gbps", (4000, 1005, 1000, 1000, 995, 2000, 1000, 1000), "dma"),
                                               ("800Gbps", (2000, 990, 980, 1000, 1960, 1500, 990, 985), "dma")):
                        made += rows(times, cause, names=ON_GRID, trace=trace, scale=scale,
                                     **{pays_words.FORM: form, pays_words.DMA: bus, "engine.lanes": 256 if "C2C" in pays_words.BUSES[bus] else 128, pays_words.LINK: link})
    return made


def named(names, links=("400Gbps",)):
    return [row for name in names for trace in ("one-window", "two-window") for link in links
            for row in rows((4000, 2000, 1500, 1000), trace=trace, experiment=name, **{pays_words.LINK: link})]


def by_ranks(encoded=1000):
    made = []
    for payload, count, best in (("size_only", 8, 1000), ("size_only", 16, 2000), ("encoded", 8, encoded)):
        made += rows((4000, 2000, 1500, best), trace="one-window", payload=payload, ranks=count)
    return made


def by_slices():
    """With 64 ranks one slice is the faster schedule of fp32, eight that of the others."""
    made = []
    for slices, times in ((1, (4000, 3000, 2500, 2000, 4000)), (8, (5000, 2000, 1500, 1000, 2500))):
        made += rows(times, "latency", names=(*METHODS, "bf16"), ranks=64, trace="one-window", **{"collective.slices": slices, "collective.in_flight": slices // 4})
    return made


def switched():
    """Switches add integers in 800, less than the 1000 of the best method's ring at 400, and in 2000, more than it, at 100; with 64 slices
    it takes them twice as long, and fp32 half as long."""
    names = ("fp32", "bf16", "fixed_point", "asc-balanced")
    return [row for trace in ("one-window", "two-window") for link, times in (("100Gbps", (5000, 2500, 2000, 2100)), ("400Gbps", (2000, 1000, 800, 810)))
            for slices, factors in ((32, (1, 1, 1, 1)), (64, (0.5, 2, 2, 2)))
            for row in rows([round(time * factor) for time, factor in zip(times, factors)], "wire", names=names, trace=trace,
                            **{"collective.slices": slices, pays_words.LINK: link})]


def assumed():
    """With a binary search the best method takes 2.5 times as long."""
    return [row for trace in ("one-window", "two-window") for name, time in (("as assumed", 1000), ("binary search", 2500))
            for row in rows((4000, 2000, 1500, time, 1100), names=(*METHODS, "rans-classes"), trace=trace, experiment=name,
                            **{pays_words.LINK: "400Gbps"})]


def quantised():
    """Kind x bits: more bits are closer and slower; `max` is as close as `percentile` in less time; both are further off than the chosen one."""
    made = []
    kind, bits = pays_quantisers.chosen()
    for wanted, width, wrong, time in (("max", 4, 0.4, 500), ("max", 8, 0.2, 900), ("percentile", 4, 0.4, 600), ("percentile", 8, 0.2, 1000),
                                       (kind, bits, 0.1, 1100)):
        for trace in ("one-window", "two-window"):
            for link in pays_quantisers.LINKS:
                point = rows((4000, 2000, 1500, time, time, 2000), names=(*METHODS, "rans-classes", "bf16"), trace=trace, quantiser=f"{{kind: {wanted}}}",
                             **{"quantiser.bits": width, pays_words.LINK: link})
                made += [row | {"relative_l2_error": {"fp32": 2e-9, "bf16": 0.004}.get(row["method"], wrong)} for row in point]
    return list({tuple(row[key] for key in ("quantiser", "quantiser.bits", "trace", pays_words.LINK, "method")): row for row in made}.values())


def step_rows(points):
    """A row per method of each step, all with the same times."""
    return [row | RECORDED | {"program": "1.0+abc", "values": 1000, "forward_ps": 1, "backward_ps": 2, "step_ps": 100, "exposed_ps": 10, "exposed_share": 0.1}
            for point in points for ready in end_to_end.READY
            for row in (*rows((40, 20, 15, 10), ready=ready, **point.keys), rows((20,), ready=ready, **point.keys)[0] | {"method": "bf16"})]


def true_rows(points, program="1.0+abc"):
    """bound_ps is 900 for all: the best method reaches 90 % of it."""
    return [row | RECORDED | {"program": program, "values": 7_000_000, "bound_ps": 900} for point in points for row in rows((4000, 2000, 1100, 1000), **point.keys)]


def write(folder, true_points=true_size.POINTS):
    for name, made in ((pays.GRID, grid()), (pays.ABLATION, named(["plain", "more"], ["400Gbps", "200Gbps"])),
                       (where_it_pays.SCHEDULES, named(["lock-step", "staggered"])), (where_it_pays.RANKS, by_ranks()),
                       (where_it_pays.MANY_RANKS, by_slices()), (pays.QUANTISERS, quantised()), (where_it_pays.IN_NETWORK, switched()),
                       (where_it_pays.ENGINE, assumed())):
        records.write(folder / f"{name}.csv", "1.0+abc", made, list(made[0]))
    if true_points:
        records.write(folder / f"{pays.TRUE_SIZE}.csv", "1.0+abc", true_rows(true_points), true_size.COLUMNS)
        records.write(folder / f"{pays.STEP}.csv", "1.0+abc", step_rows(end_to_end.POINTS), end_to_end.COLUMNS)


def line_of(text_of, beginning):
    """The cells of the only line of a table that begins with these."""
    found, = [line for line in text_of.splitlines() if line.startswith(f"| {beginning} |")]
    return [cell.strip() for cell in found.strip("|").split("|")]


def with_speedups(made):
    return records.with_speedups(made, [key for key in made[0] if key not in ("method", *pays.FIGURES)])


class Words(unittest.TestCase):
    def test_the_limiter_is_the_largest_part_of_the_critical_path(self):
        for cause, words in (("wire", "the link"), ("engine", "the engine"), ("dma", "the DMA"), ("latency", "latency"), ("wait", "waiting")):
            self.assertEqual(causes.limiter(rows((1000,), cause)), words)

    def test_a_claim_names_baseline_error_size_ranks_link_and_limiter(self):
        best = where(with_speedups(rows((4000, 1500, 1000, 1000), trace="a", **{pays_words.LINK: "400Gbps"})), method="oscar-hw")
        self.assertEqual(pays_words.claim(best, "25 MiB, 8 ranks", "fixed_point"), "At 400 Gbit/s, 25 MiB, 8 ranks, `oscar-hw` is 1.50 times as fast "
                         "as `fixed_point`, with an error of 0.400 and 5.00 bits a value, limited by the DMA")
        self.assertIn("`oscar-hw` is 4.00 times as fast as `fp32`, 1.50 times as fast as `fixed_point` and 1.00 times as fast as `asc-balanced`, with",
                      pays_words.claim(best, "x", "fp32", "bf16", "fixed_point", "asc-balanced"))   # bf16 was not run

    def test_means_stand_beside_the_least_and_the_most_unless_these_are_the_same(self):
        self.assertEqual(pays_words.factors([2, 8]), "4.00 (2.00-8.00)")
        self.assertEqual(pays_words.factors([2, 2.001]), "2.00")
        self.assertEqual(pays_words.error([{"relative_l2_error": wrong} for wrong in (0.02, 0.08)]), "0.040 (0.020-0.080)")
        self.assertEqual([pays_words.small(wrong) for wrong in (0.001, 1.7e-9)], ["0.001", "2e-09"])

    def test_the_buses_are_those_of_the_parts_and_of_the_grid(self):
        grid_of = yaml.safe_load((RESULTS.parents[1] / "configs/sweeps/where-it-pays.yaml").read_text(encoding="utf-8"))
        buses, = [key["values"] for axis in grid_of["axes"] for key in axis.get("zip", ()) if key["key"] == pays_words.DMA]
        self.assertEqual(buses, list(pays_words.BUSES))
        self.assertEqual(pays_words.config("experiments/co-design")["gpu"]["dma_bandwidth"], pays_words.PCIE5)

    def test_a_quantiser_is_told_in_words(self):
        words = [pays_words.quantiser_words({"kind": kind, "bits": 5, "percentile": 99}) for kind in
                 ("max", "percentile", "per_tensor", "per_tensor_percentile")]
        self.assertEqual(words, ["5 bits with one scale from the largest magnitude", "5 bits with one scale at the 99th percentile",
                                 "5 bits with a scale per tensor from its largest magnitude", "5 bits with a scale per tensor at its 99th percentile"])

    def test_a_rate_of_break_even_is_the_first_without_a_gain_of_one_per_cent(self):
        best = where(with_speedups(grid()), trace="one-window", scale=16, method="oscar-hw",
                          **{pays_words.FORM: "codes", pays_words.DMA: pays_words.PCIE5})
        self.assertEqual(pays_words.stops_at(best[::-1], "fixed_point"), "400Gbps")
        self.assertEqual(pays_words.ends(best, "fixed_point"), "400")
        self.assertIsNone(pays_words.stops_at(best, "fp32"))
        self.assertEqual(pays_words.ends(best, "fp32"), "above 800")

    def test_a_break_even_far_from_the_link_is_only_said_to_be_above(self):
        row = {"method": "asc", pays_words.LINK: "400Gbps"}
        self.assertEqual([pays_words.estimate(row | {"break_even_bandwidth_gbps": rate}) for rate in (None, 0.0, 800.0, 800.1)],
                         ["above 800", "0", "800", "above 800"])
        self.assertEqual(pays_words.estimate(row | {"method": "fp32", "break_even_bandwidth_gbps": None}), "-")


class Tables(unittest.TestCase):
    def test_break_evens_have_a_line_per_window_form_and_bus(self):
        lines = pays_grid.break_evens(with_speedups(grid())).splitlines()
        self.assertEqual(len(lines), 2 + 2 * 2 * 3)
        self.assertEqual(lines[2], "| one-window | codes | PCIe 5 x16 | 400 | 400 | 400 | 400 | above 800 | above 800 | above 800 | above 800 | 600 | 0.400 |")

    def test_sentences_on_the_machine_and_on_the_form_of_gradients(self):
        made = with_speedups(grid())
        self.assertEqual(pays_grid.alone(made), "At 400 Gbit/s, 25 MiB, 8 ranks, codes made by the GPU, PCIe 5 x16, `fixed_point` is 3.98 times as fast as "
                         "`fp32` and 1.99 times as fast as `bf16`, with an error of 0.400 and 5.00 bits a value, limited by the DMA; the coder "
                         "contributes the remaining factor of 1.00")
        self.assertTrue(pays_machines.plain_machine(with_speedups(named(["plain", "more"]))).endswith(
            "64 lanes), `oscar-hw` is 4.00 times as fast as `fp32` and 2.00 times as fast as `fixed_point`, with an error of 0.400 and 5.00 bits a "
            "value, limited by the DMA"))
        self.assertIn("1.00 times as fast over PCIe 5 x16, 1.00 times as fast over PCIe 6 x16", pays_grid.forms(made))

    def test_true_buckets_stand_beside_windows_of_the_same_quantiser_and_dma_only(self):
        made = records.with_speedups(true_rows(true_size.POINTS[:1]), true_size.KEYS)
        self.assertEqual(pays_buckets.beside_windows(made, with_speedups(grid())), "")
        now = [row | dict(zip(true_size.MACHINE, pays_buckets.machine())) for row in made]
        self.assertEqual(pays_buckets.beside_windows(now, with_speedups(grid())).splitlines()[-1],
                         "| 400 | codes | 4.00 | 4.00 | 2.00 | 1.00 | 5.00 | 5.00 | 0.400 | 0.400 | the DMA | the DMA |")

    def test_recorded_rows_say_what_made_them_and_whether_that_is_still_so(self):
        made = true_rows(true_size.POINTS[:1])
        self.assertEqual(pays_buckets.recorded(made), "oscar-sim 1.0+abc: 8 bits of old, DMA of 504 Gbit/s; not those of co-design.yaml now, so no "
                                                      "figure here may be mixed with those made since")
        now = [row | dict(zip(true_size.MACHINE, pays_buckets.machine())) for row in made]
        self.assertTrue(pays_buckets.recorded(now).endswith("; as co-design.yaml has them now"))

    def test_quantiser_and_dma_of_a_run_are_those_of_its_report(self):
        config = {"quantiser": {"kind": "max", "bits": 4}, "gpu": {"dma_bandwidth": "7Gbps"}}
        self.assertEqual(true_size.machine(config), {"quantiser": "4 bits with one scale from the largest magnitude", "gpu.dma_bandwidth": "7Gbps"})

    def test_claims_of_recorded_buckets_have_their_size(self):
        made = records.with_speedups(true_rows(true_size.POINTS), true_size.KEYS)
        self.assertEqual(len(pays_buckets.short(made).splitlines()), 4)   # links with codes
        self.assertTrue(pays_buckets.short(made).startswith("* At 400 Gbit/s, 7.0 to 7.0 million values, 8 ranks, codes made by the GPU, PCIe 5 x16, "
                                                            "`oscar-hw` is 4.00 times as fast as `fp32`"))

    def test_points_at_which_asc_is_faster_are_listed(self):
        made = with_speedups(grid())
        said = pays_grid.behind_coder(made)
        self.assertTrue(said.startswith("`oscar-hw` is 1.03 (0.98-1.10) times as fast as `asc-balanced`, which has its chunks. At 48 of 144 points of "
                                        "the grid it is more than 1 % slower ("))
        self.assertIn("| one-window | 25 MiB | codes | PCIe 5 x16 | 800 | 0.980 | 0.400 | the DMA |", said)
        slow = [row for row in made if row[pays_words.LINK] != "800Gbps"]
        self.assertIn("`oscar-hw` is 1.05 (1.00-1.10) times as fast as `asc-balanced`, which has its chunks, and nowhere on the grid (96 points) more "
                      "than 1 % slower.\n", pays_grid.behind_coder(slow))

    def test_asc_is_also_compared_with_the_chunks_that_are_better_for_it(self):
        for times, (same, faster) in (((980, 1960), (True, True)), ((1960, 980), (False, True)), ((1960, 995), (False, False))):
            made = with_speedups(rows((4000, 2000, times[0], 1000, times[1]), names=ON_GRID[:5], trace="one-window", scale=16,
                                      **{pays_words.FORM: "codes", pays_words.DMA: pays_words.PCIE5, pays_words.LINK: "800Gbps"}))
            said = pays_grid.behind_coder(made)
            of_its_chunks, of_the_faster = (part.splitlines()[0] for part in said.split("\n`"))
            self.assertEqual("At 1 of 1 points of the grid it is more than 1 % slower" in of_its_chunks, same)
            self.assertEqual("At 1 of 1 points of the grid it is more than 1 % slower" in of_the_faster, faster)

    def test_the_bits_of_more_lanes_are_told(self):
        made = [row | {"bits_per_value": 5.25} if row["engine.lanes"] == 256 else row for row in with_speedups(grid())]
        self.assertIn("at 25 MiB and 100 Gbit/s, 8 ranks, `oscar-hw` has 5.00 bits a value with 128 lanes and 5.25 bits a value with 256 lanes.",
                      pays_grid.of_lanes(made))

    def test_chunks_of_equal_time_are_compared_with_those_of_equal_bits(self):
        said = pays_grid.of_balance(with_speedups(grid()))   # 2, 0.995 and 2 times as fast: the cube root of 3.98
        self.assertIn("is 1.58 (0.99-2.00) times as fast as with chunks of equal coded size (`asc-equal-bits`): 8 ranks, all 144 points.", said)

    def test_schedules_are_compared_with_the_baselines_fastest_too(self):
        made = named(["lock-step"]) + [row | {"allreduce_ps": row["allreduce_ps"] // 2} for row in named(["staggered"])]
        cells = line_of(pays_machines.schedules(with_speedups(made)), "lock-step")
        self.assertEqual(cells[4:], ["4.00", "2.00", "2.00", "1.00", "0.400", "the DMA"])

    def test_ablation_has_times_and_speed_ups_of_a_link(self):
        made = with_speedups(named(["plain"], ["400Gbps", "200Gbps"]))
        self.assertEqual(line_of(pays_machines.ablation(made, "200Gbps"), "plain")[5:], ["4.00", "2.00", "2.00", "1.50", "0.400", "the DMA"])

    def test_computed_sizes_are_compared_with_real_bytes_by_ranks(self):
        self.assertIn("(8 ranks, 4 AllReduces) 0 differ from the untimed reference", pays_machines.validated(by_ranks()))
        made = with_speedups(by_ranks(encoded=800))
        self.assertEqual(line_of(pays_machines.ranks(made), "8")[4:], ["5.00", "0.400", "the DMA", "0.000 %", "25.000 %"])
        self.assertEqual(line_of(pays_machines.ranks(made), "16")[1:3], ["2.00", "1.00"])
        self.assertEqual(line_of(pays_machines.ranks(made), "16")[7:], ["not run", "not run"])

    def test_many_ranks_are_compared_with_the_baselines_faster_schedule_too(self):
        self.assertIn("were not run", pays_machines.many_ranks([]))
        lines = pays_machines.many_ranks(with_speedups(by_slices())).splitlines()
        self.assertEqual(lines[-2:], ["| 64 | 1 | 0 | 0 | 0 | 2.00 | 2.00 | 1.50 | 2.00 | 1.00 | 5.00 | 0.400 | latency, 60 % |",
                                     "| 64 | 8 | 0 | 0 | 0 | 5.00 | 2.50 | 2.00 | 4.00 | 2.00 | 5.00 | 0.400 | latency, 60 % |"])

    def test_where_it_does_not_pay_the_first_link_and_its_limiter_are_named(self):
        lines = pays_grid.not_paying(with_speedups(grid())).splitlines()
        self.assertEqual(len(lines), 6)
        self.assertEqual(lines[0], "* At 400 Gbit/s, 25 MiB, 8 ranks, codes made by the GPU, PCIe 5 x16, `oscar-hw` is 1.00 times as fast as "
                                   "`fixed_point`, with an error of 0.400 and 5.00 bits a value, limited by the DMA (60 % of the critical path).")
        self.assertIn("At every rate of the grid it pays over `fixed_point`", pays_grid.not_paying(with_speedups(
            [row for row in grid() if row[pays_words.LINK] == "100Gbps"])).splitlines()[0])


class Decides(unittest.TestCase):
    """What the page says of quantisers, of switches that add, of the engine, and of many ranks."""

    def ring(self):
        return where(with_speedups(grid()), **pays_grid.HEAD)

    def test_the_ring_loses_to_switches_where_these_take_less_time(self):
        lines = pays_machines.against_switches(with_speedups(switched()), self.ring()).splitlines()
        self.assertIn("`oscar-hw`'s ring is 2.00 times as fast as a switch that adds uncoded integers in 32 slices: it wins; both have an error of 0.400; "
                      "the ring is limited by the link, the switch by the link.", lines[0])
        self.assertIn("At 400 Gbit/s (25 MiB, 8 ranks, codes made by the GPU, PCIe 5 x16) `oscar-hw`'s ring is 0.80 times as fast as a switch that adds "
                      "uncoded integers in 32 slices: it loses; both have an error of 0.400; the ring is limited by the DMA, the switch by the link.", lines[1])

    def test_a_mean_that_hides_a_loss_says_so(self):
        best, other = ([{"allreduce_ps": time} for time in times] for times in ((100, 100), (90, 200)))
        self.assertEqual(pays_machines.wins(best, other), "wins on the mean, not on each window")
        self.assertEqual(pays_machines.wins(other, best), "loses on the mean, not on each window")

    def test_ring_and_switch_stand_beside_each_other_for_each_method(self):
        lines = pays_machines.in_network(with_speedups(switched()), self.ring()).splitlines()[2:]
        self.assertEqual(len(lines), 2 * (1 + 2 * 4))
        self.assertIn("| 400 | ring | 8 | fixed_point | 0 | 1.00 | 0.400 | the DMA |", lines)
        self.assertIn("| 400 | in the network | 32 | fixed_point | 0 | 0.80 | 0.400 | the link |", lines)
        self.assertIn("| 400 | in the network | 64 | fp32 | 0 | 1.00 | 0.400 | the link |", lines)

    def test_each_assumption_on_the_engine_has_a_line(self):
        text = pays_machines.engine(with_speedups(assumed()))
        self.assertEqual(line_of(text, "400 | binary search")[2:], ["5.00", "0.400", "1.60", "0.80", "the DMA", "2.67", "1.33", "3.64", "1.82"])

    def test_many_ranks_are_claimed_with_their_number_and_link(self):
        self.assertEqual(pays_machines.short_of_ranks(with_speedups(where(by_slices(), collective__slices=1))),
                         "* At 400 Gbit/s, 25 MiB, 64 ranks, one slice, codes made by the GPU, PCIe 5 x16, `oscar-hw` is 2.00 times as fast as `fp32`, "
                         "2.00 times as fast as `bf16` and 1.50 times as fast as `fixed_point`, with an error of 0.400 and 5.00 bits a value, limited by "
                         "latency.")

    def test_a_line_per_quantiser_has_errors_bits_and_speed_ups(self):
        text = pays_quantisers.comparison(with_speedups(quantised()))
        self.assertEqual(line_of(text, "`max` | 4")[2:], ["0.400", "0.400", "5.00", *["8.00"] * 3, *["4.00"] * 3, "1.00"])
        self.assertEqual(len(text.splitlines()), 2 + 2 + 2 + ((*pays_quantisers.chosen(),) not in (("max", 8), ("percentile", 8))))

    def test_a_quantiser_is_undominated_if_no_other_is_closer_and_faster(self):
        made = [{"relative_l2_error": wrong, "allreduce_ps": time} for wrong, time in ((0.1, 9), (0.2, 9), (0.3, 5), (0.4, 6), (0.4, 4))]
        self.assertEqual(pays_quantisers.best_ones(made, "allreduce_ps"), [made[0], made[2], made[4]])

    def test_the_chosen_quantiser_is_told_what_is_both_closer_and_faster(self):
        one, two, three = ({"quantiser": f"{{kind: {kind}}}", "quantiser.bits": 8, "relative_l2_error": wrong, "allreduce_ps": time}
                           for kind, wrong, time in (("max", 0.1, 5_000_000), ("percentile", 0.2, 6_000_000), ("per_tensor", 0.05, 7_000_000)))
        self.assertEqual(pays_quantisers.beside(two, [one, two, three]), "The chosen one (percentile, 8 bits: 0.200, 6 us) is behind max, 8 bits in both.")
        self.assertEqual(pays_quantisers.beside(one, [one, two, three]), "The chosen one (max, 8 bits: 0.100, 5 us) is behind no other in both.")
        self.assertIn("is behind no other in both.", pays_quantisers.beside(three, [one, two, three]))   # both are faster and further off

    def test_the_quantiser_that_the_figure_marks_as_the_default_is_that_of_the_program(self):
        page = (RESULTS.parents[1] / "docs/parameters.md").read_text(encoding="utf-8")
        kind, = re.findall(r"^\| \[`quantiser`\]\(#quantiser\) \| [^|]+ \| `(\w+)` \|", page, re.MULTILINE)
        bits, = re.findall(r'^\| <a id="quantiser.bits"></a>[^|]+ \| [^|]+ \| (\d+) \|', page, re.MULTILINE)
        self.assertEqual(pays_quantisers.SHIPPED, (kind, int(bits)))

    def test_the_sweep_has_the_default_and_the_chosen_quantiser(self):
        axes = yaml.safe_load((RESULTS.parents[1] / f"configs/sweeps/{pays.QUANTISERS}.yaml").read_text(encoding="utf-8"))["axes"]
        kinds, widths = ([*axis["values"]] for axis in axes[:2])
        for kind, bits in pays_quantisers.marked().values():
            self.assertIn(kind, [value["kind"] for value in kinds])
            self.assertIn(bits, widths)


class TrueSize(unittest.TestCase):
    def test_a_line_has_speed_ups_bound_and_whether_bytes_were_made(self):
        made = records.with_speedups(true_rows(true_size.POINTS[:4]), true_size.KEYS)
        lines = pays_buckets.of_true_size(made).splitlines()
        self.assertIn("| resnet50-fmnist 1 | 7,000,000 | 400 | codes | oscar-hw | 0 | 4.00 | 2.00 | 5.00 | 0.400 | the DMA | 600 | 1.00 | 90 % | equal |", lines)
        self.assertIn("| resnet50-fmnist 1 | 7,000,000 | 200 | codes | oscar-hw | 0 | 4.00 | 2.00 | 5.00 | 0.400 | the DMA | above 400 | 1.00 | 90 % | equal, size only |", lines)
        self.assertTrue(lines[-1].startswith("Not run: gpt2-kjv-200Gbps-codes, "))

    def test_every_method_of_the_run_has_a_line_also_the_baselines(self):
        made = records.with_speedups(true_rows(true_size.POINTS[:1]), true_size.KEYS)
        self.assertEqual([line.split(" | ")[4] for line in pays_buckets.of_true_size(made).splitlines()[2:-2]], list(METHODS))

    def test_the_methods_that_are_run_are_those_that_isolate_the_coder(self):
        methods = yaml.safe_load((RESULTS.parents[1] / true_size.CONFIG).read_text(encoding="utf-8"))["methods"]
        self.assertEqual([method if isinstance(method, str) else method["name"] for method in methods],
                         ["fp32", "bf16", "fixed_point", "atalanta-balanced", "asc-balanced", "rans-classes", "oscar-hw"])
        self.assertNotIn("methods", true_size.settings(true_size.POINTS[0], Path("captures")))

    def test_without_captures_a_line_says_so(self):
        self.assertEqual(pays_buckets.of_true_size([]).count("\n"), 1)
        self.assertIn("No captures were there", pays_buckets.of_true_size([]))

    def test_links_that_tell_most_come_first(self):
        order = list(dict.fromkeys((point.link, point.gradients) for point in true_size.POINTS))
        self.assertEqual(order[:2], [("400Gbps", "codes"), ("200Gbps", "codes")])
        self.assertEqual(len(true_size.POINTS), 18)

    def test_bits_over_the_dma(self):
        cases = {("oscar-hw", "codes"): (8, 16), ("bf16", "codes"): (16, 16), ("fp32", "codes"): (32, 32), ("fixed_point", "fp32"): (32, 32)}
        for (method, gradients), bits in cases.items():
            self.assertEqual(true_size.bits_in_memory(method, gradients), bits)

    def test_points_in_the_csv_file_and_without_capture_are_not_run(self):
        first, second, third = true_size.POINTS[:3]
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for point in (first, second):
                (folder / "captures" / point.trace).mkdir(parents=True)
                (folder / "captures" / point.trace / "trace.yaml").touch()
            file = folder / "true-size.csv"
            records.write(file, "v1", true_rows([first], "v1"), true_size.COLUMNS)
            done = []

            def run(_program, _captures, point, _scratch):
                done.append(point)
                return true_rows([point])

            with mock.patch.object(true_size, "rows_of", run):
                true_size.complete("program", "v1", folder / "captures", file, folder / "scratch")
                self.assertNotIn(first, done)
                self.assertIn(second, done)
                self.assertFalse([point for point in done if point.trace == third.trace])
                self.assertEqual(true_size.missing(records.read(file)[1]), [p for p in true_size.POINTS if p not in (first, *done)])
                done.clear()
                true_size.complete("program", "v2", folder / "captures", file, folder / "scratch")
                self.assertIn(first, done)   # the rows of another program do not count
                made, rows_now = records.read(file)
                self.assertEqual(made, "v2")
                self.assertEqual({row["program"] for row in rows_now}, {"v2"})   # and are replaced
                self.assertEqual(len(rows_now), len(METHODS) * len(done))


class Script(unittest.TestCase):
    def page(self, folder):
        """(SUMMARY.md, what was said on stderr)."""
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as errors:
            self.assertEqual(pays.main(["--from-csv", "-o", str(folder)]), 0)
        return (folder / "SUMMARY.md").read_text(encoding="utf-8"), errors.getvalue()

    def test_csv_files_give_the_page_and_the_figures(self):
        with tempfile.TemporaryDirectory() as name:
            write(Path(name))
            page, errors = self.page(Path(name))
            self.assertIn("(oscar-sim 1.0+abc)", page)
            every = sum(len(records.read(file)[1]) for file in Path(name).glob("*.csv") if file.stem != pays.STEP)
            real = 4 + 3 * len(METHODS)   # of by_ranks() and of the three buckets at 400 Gbit/s with codes
            self.assertTrue(page.split("\n\n")[1].startswith(f"Of {every:,} AllReduces {real} ({100 * real / every:.1f} %) carried real bytes"))
            self.assertTrue(page.split("\n\n")[1].endswith(f" 0 of the {every:,} sums differ from the untimed reference."))
            self.assertNotIn("Not run", page)
            if importlib.util.find_spec("matplotlib"):
                self.assertEqual(errors, "")
                for figure in ("speed-up", "buses", "parts", "quantisers"):
                    for kind in ("svg", "png"):
                        self.assertGreater((Path(name) / f"{figure}.{kind}").stat().st_size, 1000)

    def test_missing_captures_are_told_in_one_line(self):
        with tempfile.TemporaryDirectory() as name:
            write(Path(name), true_points=())
            page, errors = self.page(Path(name))
            self.assertIn("No captures were there", page)
            if importlib.util.find_spec("matplotlib"):
                self.assertEqual(errors.count("\n"), 2)
            self.assertIn("where_it_pays: 18 of 18 runs of true size are missing, for want of captures", errors)
            self.assertIn(f"where_it_pays: {len(end_to_end.POINTS)} of {len(end_to_end.POINTS)} training steps are missing, for want of captures", errors)

    def test_files_are_named_where_several_programs_made_them(self):
        self.assertEqual(pays.runs.programs([{"program": name} for name in ("1+b", "1+a", "1+b")]), "1+b, 1+a")
        self.assertEqual(pays.made_by(["1+a", "1+a", None], ["x.csv", "y.csv", "z.csv"]), "1+a")
        self.assertEqual(pays.made_by(["1+a", "1+b", "1+a"], ["x.csv", "y.csv", "z.csv"]), "1+a: x.csv, z.csv; 1+b: y.csv")

    def test_the_shipped_page_is_made_of_the_shipped_figures(self):
        self.assertEqual((RESULTS / "SUMMARY.md").read_text(encoding="utf-8"), pays.page(RESULTS)[0])


class Predicted(unittest.TestCase):
    def test_the_bound_is_that_of_the_rows_bits(self):
        written = {}

        def run(command, **_):
            written.update(text=Path(command[2]).read_text(encoding="utf-8"))
            Path(command[-1]).mkdir()
            (Path(command[-1]) / "prediction.json").write_text(json.dumps({"predictions": [{"time_ps": 7}]}), encoding="utf-8")

        config = {"engine": {"lanes": 128, "clock": "1GHz"}, "gpu": {"dma_bandwidth": "461Gbps"}, "ranks": 8}
        row = {"method": "oscar-hw", pays_words.FORM: "codes", pays_words.LINK: "400Gbps", "bits_per_value": 4.65137105, "values": 1000}
        with tempfile.TemporaryDirectory() as name, mock.patch.object(true_size.subprocess, "run", run):
            self.assertEqual(true_size.bound_ps("program", config, row, Path(name)), 7)
        for part in ("all_gather_bits: 4.651371", "lanes: 128", "read_bits: 8", "written_bits: 16", "schedule: pipelined", "4000B"):
            self.assertIn(part, written["text"])


if __name__ == "__main__":
    unittest.main()
