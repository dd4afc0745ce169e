"""scripts/validate and scripts/fit_machine: the fit of machines, the error table, and what is said of its rows."""

import tempfile
import unittest
from pathlib import Path

import numpy
from tests.scripts.loading import script

validate = script("validate")
fit_machine = script("fit_machine")
from oscar_validation import (
    cases,
    closed_forms,
    figures,
    fit,
    machines,
    program,
)  # noqa: E402  (the scripts name their folder)

SIZES = 1024 * 2.0 ** numpy.arange(20)


def two_protocols():
    """One is quick for small sizes, the other for large ones."""
    ones = numpy.ones(len(SIZES))
    return fit.Candidates(numpy.stack([1e-6 * ones, 20e-6 * ones], axis=1), numpy.stack([4 * SIZES, SIZES], axis=1))


class Fit(unittest.TestCase):
    def test_finds_the_two_figures_that_made_the_times(self):
        made = fit.Fit(12e-6, 3e10)
        for candidates in (two_protocols(), fit.Candidates.line(SIZES)):
            found = fit.fit(candidates, candidates.times(made))
            self.assertAlmostEqual(found.launch / made.launch, 1, delta=1e-3)
            self.assertAlmostEqual(found.bandwidth / made.bandwidth, 1, delta=1e-3)

    def test_takes_the_fastest_candidate_of_each_size(self):
        times = two_protocols().times(fit.Fit(5e-6, 1e9))
        self.assertAlmostEqual(times[0], 5e-6 + 1e-6 + 4 * 1024 / 1e9)
        self.assertAlmostEqual(times[-1], 5e-6 + 20e-6 + SIZES[-1] / 1e9)

    def test_no_other_launch_has_a_smaller_mean_error(self):
        random = numpy.random.default_rng(1)
        for _ in range(50):
            rest, measured = random.uniform(0, 100, 9), random.uniform(50, 200, 9)
            best = fit.best_launch(rest, measured)
            error = fit.relative_errors(best + rest, measured).mean()
            for other in numpy.linspace(0, 200, 401):
                self.assertLessEqual(error, fit.relative_errors(other + rest, measured).mean() + 1e-12)

    def test_a_launch_is_never_negative(self):
        self.assertEqual(fit.best_launch(numpy.array([5.0, 6.0]), numpy.array([1.0, 1.0])), 0)

    def test_one_wild_size_does_not_move_the_others(self):
        times = two_protocols().times(fit.Fit(12e-6, 3e10))
        times[7] *= 5
        found = fit.fit(two_protocols(), times)
        self.assertAlmostEqual(found.launch * 1e6, 12, delta=0.1)

    def test_a_size_that_is_left_out_is_judged_by_the_fit_of_the_others(self):
        times = two_protocols().times(fit.Fit(12e-6, 3e10))
        self.assertLess(fit.left_out_error(two_protocols(), times), 1e-3)
        times[7] *= 2  # off by one half of itself; no other is
        self.assertAlmostEqual(fit.left_out_error(two_protocols(), times), 0.5 / 20, delta=1e-3)

    def test_a_size_that_is_left_out_is_not_seen_by_the_fit(self):
        line = fit.Candidates.line([1000, 1_000_000])  # which meets any two times, but not one by the other
        measured = numpy.array([1e-3, 5e-3])
        self.assertLess(fit.relative_errors(line.times(fit.fit(line, measured)), measured).mean(), 1e-3)
        self.assertGreater(fit.left_out_error(line, measured), 0.1)

    def test_candidates_of_a_prediction_are_in_seconds_and_bytes(self):
        row = {
            "candidates": [
                {"fixed_ps": 3_000_000, "carried_bytes": 4000},
                {"fixed_ps": 5_000_000, "carried_bytes": 1000},
            ]
        }
        of = fit.Candidates.of({"predictions": [row]})
        self.assertAlmostEqual(of.times(fit.Fit(1e-6, 1e9))[0], 1e-6 + 5e-6 + 1e-6)


class Constants(unittest.TestCase):
    def test_are_written_in_place_of_those_of_the_file(self):
        text = "predictor: {kind: nccl, launch: 37us, bandwidth: 1830Gbps}\n"
        self.assertEqual(
            fit_machine.with_constants(text, fit.Fit(26.79e-6, 36.177e9)),
            "predictor: {kind: nccl, launch: 26790ns, bandwidth: 289416Mbps}\n",
        )

    def test_must_stand_in_the_file_once_each(self):
        for text in ("launch: 1us\n", "launch: 1us, launch: 2us, bandwidth: 1Gbps\n"):
            with self.assertRaises(ValueError):
                fit_machine.with_constants(text, fit.Fit(1, 1))

    def test_of_the_shipped_machines_are_what_the_fit_finds(self):
        for machine in machines.read():
            predictor = program.call("predict", machine.config)
            found = machine.fit(fit.Candidates.of(predictor))
            for config in filter(None, (machine.config, machine.simulated)):
                text = (program.CONFIGS / config).read_text()
                self.assertEqual(fit_machine.with_constants(text, found), text)


def call(answers):
    """Stands for oscar-sim: what it writes, by overrides."""
    return lambda command, config, overrides=(): answers[tuple(overrides)]


def report(ps, flit_hops=0):
    return {"methods": [{"name": "fp32", "allreduce_ps": ps}], "host": {"flit_hops": flit_hops}}


class Rows(unittest.TestCase):
    def test_a_prediction_has_a_row_per_expected_size(self):
        case = {"name": "ring", "command": "predict", "config": "c", "figure": "time_ns", "expected": {10: 5, 20: 8}}
        prediction = {"predictions": [{"size": 10, "time_ps": 5000}, {"size": 20, "time_ps": 8001}]}
        first, second = cases.rows(case, call({(): prediction}))
        self.assertEqual((first.name, first.expected, first.ours, first.within), ("ring, 10 B", 5, 5, True))
        self.assertFalse(second.within)  # zero tolerance: not a picosecond

    def test_a_report_has_one_row_within_its_tolerance(self):
        case = {
            "name": "x",
            "command": "run",
            "config": "c",
            "figure": "allreduce_ns",
            "expected": 100,
            "tolerance": 0.01,
        }
        self.assertTrue(cases.rows(case, call({(): report(101_000)}))[0].within)
        self.assertAlmostEqual(cases.rows(case, call({(): report(102_000)}))[0].error, 0.02)  # of what is expected
        self.assertFalse(cases.rows(case, call({(): report(98_900)}))[0].within)

    def test_a_figure_may_be_of_the_host_and_have_an_addend(self):
        case = {"name": "x", "command": "run", "config": "c", "figure": "flit_hops", "expected": 17, "add": 1}
        self.assertEqual(cases.rows(case, call({(): report(0, 16)}))[0].ours, 17)

    def test_a_ratio_divides_by_the_run_with_other_overrides(self):
        case = {
            "name": "x",
            "command": "run",
            "config": "c",
            "figure": "allreduce_us",
            "set": ["a=1"],
            "over": ["a=2"],
            "expected": 4,
        }
        self.assertEqual(cases.rows(case, call({("a=1",): report(12), ("a=2",): report(3)}))[0].ours, 4)

    def test_a_bound_may_be_reached_but_not_passed(self):
        for bound, inside, outside in (("at_most", 1, 2001), ("at_least", 9000, 1999)):
            case = {"name": "x", "command": "run", "config": "c", "figure": "allreduce_ns", bound: 2}
            self.assertTrue(cases.rows(case, call({(): report(2000)}))[0].within)
            self.assertTrue(cases.rows(case, call({(): report(inside)}))[0].within)
            self.assertFalse(cases.rows(case, call({(): report(outside)}))[0].within)

    def test_a_figure_may_be_expected_to_be_another_of_the_same_run(self):
        written = report(3000) | {}
        written["methods"][0] |= {"closed_form_ps": 2999, "links": [{"wire_bytes": 4}, {"wire_bytes": 10}]}
        case = {
            "name": "x",
            "command": "run",
            "config": "c",
            "figure": "allreduce_ps",
            "against": {"figure": "closed_form_ps"},
        }
        (row,) = cases.rows(case, call({(): written}))
        self.assertEqual((row.expected, row.ours, row.within), (2999, 3000, False))
        case |= {"against": {"figure": "busiest_link_bytes", "per": 2, "add": 7}, "bound": "at_least"}
        (row,) = cases.rows(case, call({(): written}))
        self.assertEqual((row.expected, row.bound, row.within), (12, "at_least", True))

    def test_a_figure_is_of_the_method_that_the_case_names(self):
        written = report(1000)
        written["methods"].append({"name": "asc", "allreduce_ps": 2000})
        case = {"name": "x", "command": "run", "config": "c", "figure": "allreduce_ns", "method": "asc", "expected": 2}
        self.assertTrue(cases.rows(case, call({(): written}))[0].within)

    def test_a_row_tells_its_label_as_the_case_wants(self):
        case = {
            "name": "latency",
            "command": "traffic",
            "config": "c",
            "figure": "latency",
            "labels": "load {}",
            "expected": {0.2: 18},
        }
        written = {"points": [{"offered": 0.1, "mean_latency": 17}, {"offered": 0.2, "mean_latency": 18}]}
        (row,) = cases.rows(case, call({(): written}))
        self.assertEqual((row.name, row.ours), ("latency, load 0.2", 18))

    def test_a_formula_stands_for_a_number(self):
        case = {
            "name": "x",
            "command": "run",
            "config": "c",
            "figure": "allreduce_ns",
            "formula": {"kind": "ring", "n": 4, "S": 800, "alpha": 7, "rate": 2},
        }
        self.assertEqual(cases.rows(case, call({(): report(0)}))[0].expected, 6 * 7 + 6 / 4 * 400)

    def test_parts_are_summed_with_their_numbers(self):
        case = {
            "name": "x",
            "command": "run",
            "config": "c",
            "figure": "communication_us",
            "parts": [[3, 10], [2, 7.5]],
            "tolerance": 0.2,
        }
        for ps, within in ((36_000_000, True), (35_900_000, False), (54_000_000, True), (54_100_000, False)):
            written = {"host": {}, "methods": [{"name": "fp32", "step": {"communication_ps": ps}}]}
            (row,) = cases.rows(case, call({(): written}))
            self.assertEqual((row.expected, row.within), (3 * 10 + 2 * 7.5, within))

    def test_the_parts_of_the_shipped_steps_are_rows_of_the_collectives_and_make_up_three_gathers_and_two_halves(self):
        """A gather or a reduce-scatter is half an AllReduce; what that takes longer than a gather is the other half."""
        groups = {group["name"]: group["cases"] for group in cases.read()}
        collectives = {case["expected"]: case["name"] for case in groups["Rings of NCCL on nodes"]}
        steps = groups["A step of FSDP beside the sum of its measured parts"]
        self.assertGreater(len(steps), 8)
        for case in steps:
            halves = [times * (2 if "AllReduce" in collectives[figure] else 1) for times, figure in case["parts"]]
            self.assertEqual(sum(halves), 5, case["name"])
            self.assertEqual(case["tolerance"], 0.2)

    def test_the_shipped_cases_name_configurations_figures_and_formulas_that_there_are(self):
        names = set()
        for case in (case for group in cases.read() for case in group["cases"]):
            folder = program.TRAFFIC_CONFIGS if case["command"] == "traffic" else program.CONFIGS
            self.assertTrue((folder / case["config"]).exists(), case)
            if "formula" in case:
                self.assertGreater(list(cases.expectations(case, None).values())[0], 0)
            names.add((case["name"], case["config"], case["figure"]))
        self.assertGreater(len(names), 60)

    def test_slow_cases_and_groups_of_them_are_left_out_when_time_is_short(self):
        case = {"name": "x", "command": "run", "config": "c", "figure": "allreduce_ns", "expected": 1, "slow": True}
        groups = [{"name": "g", "source": "s", "unit": "ns", "cases": [case]}]
        self.assertEqual(cases.run(groups, call({(): report(1)}), quick=True), [])
        self.assertEqual(len(cases.run(groups, call({(): report(1)}))[0].rows), 1)


class Figures(unittest.TestCase):
    def test_of_a_method_are_in_the_unit_that_the_name_ends_in(self):
        written = {
            "host": {"flit_hops": 5},
            "methods": [
                {"name": "a", "allreduce_ps": 4_000_000},
                {
                    "name": "b",
                    "allreduce_ps": 7_000_000,
                    "closed_form_ps": 6_000,
                    "bus_bandwidth_gbps": 30,
                    "algorithm_bandwidth_gbps": 20,
                    "flows": [{"end_ps": 9_000}, {"end_ps": 8_000}],
                    "step": {"communication_ps": 3_000},
                },
            ],
        }
        for name, method, value in (
            ("allreduce_us", None, 4),
            ("allreduce_us", "b", 7),
            ("closed_form_ns", "b", 6),
            ("bus_factor", "b", 1.5),
            ("flit_hops", "b", 5),
            ("quickest_flow_ns", "b", 8),
            ("communication_ns", "b", 3),
        ):
            self.assertEqual(figures.of_report(name, written, method), {None: value}, name)

    def test_of_traffic_are_by_distance_or_by_load_or_one(self):
        written = {
            "zero_load": [{"routers": 2, "least": 10, "most": 11}],
            "points": [{"offered": 0.3, "mean_latency": 19}],
            "bounds": {"credit_loop": 9, "zero_load_latency": 18},
            "saturation": {"accepted": 0.4},
        }
        for name, value in (
            ("zero_load_least", {2: 10}),
            ("zero_load_most", {2: 11}),
            ("latency", {0.3: 19}),
            ("accepted", {None: 0.4}),
            ("credit_loop", {None: 9}),
            ("zero_load_latency", {None: 18}),
        ):
            self.assertEqual(figures.of_traffic(name, written), value, name)
        self.assertEqual(figures.of_traffic("credit_loop", written | {"saturation": None}), {None: 9})


class ClosedForms(unittest.TestCase):
    def test_those_that_reduce_scatter_carry_the_same_bytes(self):
        of = dict(S=1 << 20, alpha=0, rate=1)
        bytes_of_ring = closed_forms.ring(16, **of)
        self.assertEqual(closed_forms.halving_doubling(16, **of), bytes_of_ring)
        self.assertEqual(closed_forms.direct(16, **of), bytes_of_ring)
        self.assertEqual(closed_forms.ring_2d(4, 4, **of), bytes_of_ring)  # 2 (3/4 + 3/16) = 2 * 15/16

    def test_latencies_count_the_timesteps(self):
        of = dict(S=0, alpha=1, rate=1)
        self.assertEqual(
            [
                closed_forms.ring(16, **of),
                closed_forms.halving_doubling(16, **of),
                closed_forms.direct(16, **of),
                closed_forms.ring_2d(2, 8, **of),
                closed_forms.double_binary_tree(16, **of),
            ],
            [30, 8, 2, 16, 8],
        )

    def test_one_phase_is_half_a_ring_and_half_the_bytes_are_two_rings(self):
        of = dict(S=1600, alpha=3, rate=2)
        self.assertEqual(closed_forms.one_phase(16, **of), 15 * 3 + 15 * 100 / 2)
        self.assertEqual(closed_forms.bidirectional_ring(16, **of), 30 * 3 + 30 * 50 / 2)
        self.assertEqual(closed_forms.double_binary_tree(16, **of), 8 * 3 + 2 * 1600 / 2)
        self.assertEqual(closed_forms.all_to_all(16, **of), 3 + 15 * 100 / 2)

    def test_islands_send_inside_first_and_then_across(self):
        self.assertEqual(
            closed_forms.hierarchical(8, 4, S=800, alpha=1, rate=1), 4 + 2 * 3 * 200 + 2 * 100
        )  # 2 islands

    def test_broadcasts_go_down_a_tree_or_a_chain(self):
        self.assertEqual(closed_forms.binomial_broadcast(9, S=100, alpha=1, rate=1), 4 * 101)
        self.assertEqual(closed_forms.chain_broadcast(9, S=100, slices=4, alpha=1, rate=1), (8 + 3) * 26)

    def test_what_is_slow_or_late_is_waited_for_once_twice_or_in_each_timestep(self):
        of = dict(S=400, alpha=1, rate=1)
        self.assertEqual(closed_forms.slow_cable(4, S=400, alpha=1, rate=0.5), 1 + 6 * 200)
        self.assertEqual(closed_forms.late_cable(4, late=10, **of), 6 * 101 + 20)
        self.assertEqual(closed_forms.late_cable_in_lock_step(4, late=10, **of), 6 * 111)
        self.assertEqual(closed_forms.straggler(4, late=10, **of), 411)
        self.assertEqual(closed_forms.incast(4, **of), 1201)
        self.assertEqual(closed_forms.oversubscribed(ratio=4, **of), 1601)

    def test_the_published_cycles_of_the_ring_in_a_mesh_come_out(self):
        published = {262144: 86136, 1048576: 343356, 8388608: 2742648, 67108864: 21944397}
        for elements, cycles in published.items():
            self.assertAlmostEqual(closed_forms.mesh_ring_cycles(16, elements) / cycles, 1, delta=1e-3)
        for elements in (262144, 1048576):  # all digits
            self.assertEqual(closed_forms.mesh_ring_cycles(16, elements), published[elements])
        self.assertEqual(closed_forms.mesh_ring_flits(16, 262144), 30 * 128 * 17)


class Summary(unittest.TestCase):
    def test_says_what_is_outside_and_by_how_much(self):
        rows = [
            cases.Row("good", 100, 100),
            cases.Row("bad", 100, 103, 0.01),
            cases.Row("bound", 1, 0.5, bound="at_most", unit=""),
            cases.Row("known", 100, 80, 0.1, lacks="trees"),
        ]
        text = validate.summary([cases.Group("g", "a source", "a note", "ns", rows)], [], "1")
        self.assertIn("4 rows, 2 of them\noutside", text)
        self.assertIn("| g: good | a source | 100 ns | 100 ns | +0.000% | exact | yes |", text)
        self.assertIn("| g: bad | a source | 100 ns | 103 ns | +3.000% | 1.00% | **no** |", text)
        self.assertIn("| g: known | a source | 100 ns | 80 ns | -20.000% | 10.00% | **no**: trees |", text)
        self.assertIn("| g: bound | a source | ≤ 1 | 0.5 | -50.000% | bound | yes |", text)

    def test_a_row_that_is_known_to_miss_its_bar_is_no_error_until_it_meets_it(self):
        for ours, lacks, as_known in ((100, "", True), (80, "", False), (80, "trees", True), (100, "trees", False)):
            self.assertEqual(cases.Row("row", 100, ours, 0.1, lacks=lacks).as_known, as_known)
        case = {"name": "n", "command": "run", "config": "c", "figure": "allreduce_ns", "expected": 2, "lacks": "trees"}
        self.assertEqual(cases.rows(case, call({(): report(1_000)}))[0].lacks, "trees")

    def test_the_simulated_machines_take_what_the_tuner_expects(self):
        for machine, sizes in zip(machines.read(), (6, 11)):  # from 32 KiB and from 1 KiB to 1 MiB
            fitted = validate.Fitted(machine, program.call, quick=True)
            simulated, expected = fitted.curves[validate.SIMULATED], fitted.curves[validate.TUNER]
            there = numpy.isfinite(simulated)
            self.assertEqual(int(there.sum()), sizes)
            self.assertLess(
                numpy.abs(simulated / expected - 1)[there].max(), 0.05
            )  # trees of two nodes carry less than NCCL reckons

    def test_a_size_without_a_time_has_an_empty_place_and_no_part_in_a_mean(self):
        machine = machines.read()[0]
        some = numpy.where(machine.sizes > 1 << 20, numpy.nan, 1.1 * machine.measured)
        self.assertEqual(validate.mean_text(machine, some, (0, 1 << 62)), "10.0% (6 sizes)")
        self.assertEqual(validate.mean_text(machine, some, machines.SMALL), "10.0%")
        self.assertEqual(validate.mean_text(machine, some, machines.LARGE), "")
        self.assertEqual(validate.time_and_error(float("nan"), 1), ("", ""))

    def test_a_machine_that_misses_a_bar_is_told(self):
        fitted = validate.Fitted(machines.read()[1], program.call, quick=True)
        self.assertEqual(fitted.misses(), [])
        self.assertEqual({cells[-1] for cells in fitted.cells()}, {"yes"})
        fitted.curves[validate.TUNER] = fitted.curves[validate.TUNER] * 1.5
        self.assertEqual(len(fitted.misses()), 3)
        self.assertEqual(
            [cells[-1] for cells in fitted.cells()], ["**no**"] * 3 + ["yes"] * 2
        )  # simulated: nothing from 64 MiB
        self.assertIn("**missed:", validate.machine_text(fitted))

    def test_a_simulation_of_some_sizes_is_held_against_the_line_of_those(self):
        fitted = validate.Fitted(machines.read()[1], program.call, quick=True)
        ours = fitted.curves[validate.SIMULATED]
        small = fitted.machine.sizes <= 1 << 20
        worse = fit.relative_errors(fitted.line_of_all, fitted.machine.measured)[small].mean()
        self.assertLessEqual(fitted.line_error(validate.ALL, ours), worse)
        self.assertGreater(
            fitted.line_error(validate.ALL, ours), fitted.line_error(validate.ALL, fitted.curves[validate.TUNER])
        )

    def test_is_written_whole_and_everything_quick_is_within_its_bar(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(validate.main(["-o", folder, "--quick"]), 0)
            text = (Path(folder) / "SUMMARY.md").read_text()
        quick = [case for group in cases.read() for case in group["cases"] if not case.get("slow")]
        known = sum("lacks" in case for case in quick)
        self.assertIn(f", {known} of them\noutside", text)
        self.assertEqual(text.count("| **no**: "), known)
        for machine in machines.read():
            self.assertIn(f"## {machine.name}", text)


if __name__ == "__main__":
    unittest.main()
