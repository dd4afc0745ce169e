"""scripts/synthesise and python/oscar_synthesis: libraries, netlists, and figures that can be said beforehand."""

import contextlib
import io
import json
import math
import random
import shutil
import unittest
from pathlib import Path
from unittest import mock

from tests.scripts.loading import script
from tests.scripts.studies.test_liberty import Folder

synthesise = script("synthesise")
from oscar_summary.command import InputError
from oscar_synthesis import flow, liberty, logic, netlist, record, technology, units, vcd

FIXTURE = Path(__file__).resolve().parent / "rtl"
MISSING = [program for program in flow.PACKAGES if not shutil.which(program)]
if not synthesise.DEFAULT_LIBERTY.is_file():
    MISSING.append("qflow-tech-osu018")
WITH_TOOLS = unittest.skipIf(MISSING, f"there is no {', no '.join(MISSING)} (scripts/setup rtl-packages.txt)")


class Logic(unittest.TestCase):
    def test_exclusive_or_binds_before_and_and_and_before_or(self):
        for text, python in {
            "A B + C": lambda a, b, c: a & b | c,
            "A + B C": lambda a, b, c: a | b & c,
            "A * B ^ C": lambda a, b, c: a & (b ^ c),
            "!(A|B)&C": lambda a, b, c: (1 - (a | b)) & c,
            "(A B)' + C'": lambda a, b, c: 1 - a * b | 1 - c,
            "!A*B'+C": lambda a, b, c: (1 - a) & (1 - b) | c,
        }.items():
            run = logic.compiled(text, ("A", "B", "C"))
            for case in range(8):
                bits = (case >> 2, case >> 1 & 1, case & 1)
                with self.subTest(text, bits=bits):
                    self.assertEqual(run(*bits), python(*bits))


class Units(Folder):
    def test_a_module_brings_its_package_before_it_and_a_formula_knows_parameters(self):
        found = units.read(FIXTURE / "units.yaml")
        self.assertEqual([file.stem for file in found[2].files], ["squares_pkg", "squares"])
        self.assertEqual([v.sram_bits for v in found], [0, 1024 + 16, 2048 + 16, 2048 + 16, 0])

    def test_an_unknown_unit_is_answered_by_those_that_there_are(self):
        found = units.read(FIXTURE / "units.yaml")
        with self.assertRaisesRegex(InputError, "there are adder, squares, latch$"):
            units.chosen(found, ["subtractor"])
        self.assertEqual([v.name for v in units.chosen(found, ["squares:two"])], ["two"])

    def test_a_file_of_units_that_is_none_is_refused_in_one_line(self):
        file = self.folder / "units.yaml"
        for text, words in (
            ("a: [", "units.yaml:1:5: is no YAML"),
            ("[" * 5000, "units.yaml: is nested too deeply"),
            ("a: 2001-99-99", "units.yaml: is no YAML: month must be in 1..12"),
            ("- 1", "is no mapping of names"),
            ("a: 1", "lacks something of docs/rtl.md ('units')"),
            ("units: 3", "lacks something of docs/rtl.md"),
            ("units: {a: {variants: {b: }}}", "lacks something of docs/rtl.md"),
            ("units: {a: {sram_bits: 9**9**9, variants: {b: {}}}}", "sram_bits of a b: 9**9**9 is no arithmetic"),
        ):
            file.write_text(text)
            with self.assertRaises(InputError) as caught:
                units.read(file)
            self.assertIn(words, str(caught.exception))
            self.assertNotIn("\n", str(caught.exception))

    def test_a_technology_that_is_a_link_is_written_where_the_link_leads(self):
        (self.folder / "asap7.yaml").write_text("old")
        (self.folder / "technology-asap7.yaml").symlink_to("asap7.yaml")
        record.write(self.folder, {"technology-asap7.yaml": "new"})
        self.assertTrue((self.folder / "technology-asap7.yaml").is_symlink())
        self.assertEqual((self.folder / "asap7.yaml").read_text(), "new")

    def test_the_technologies_of_the_results_are_those_that_experiments_name(self):
        shipped = {file.stem: file for file in (synthesise.ROOT / "configs/technologies").glob("*.yaml")}
        self.assertIn("asap7", shipped)
        for name, file in shipped.items():
            self.assertEqual((synthesise.RESULTS / f"technology-{name}.yaml").resolve(), file.resolve())

    def test_all_units_of_the_engine_have_their_files(self):
        self.assertTrue(units.read(synthesise.RTL / "units.yaml"))

    def test_another_file_changes_the_digest_and_a_comment_in_a_stranger_does_not(self):
        shutil.copytree(FIXTURE, self.folder, dirs_exist_ok=True)
        before = [v.digest for v in units.read(self.folder / "units.yaml")]
        with (self.folder / "squares_pkg.sv").open("a", encoding="utf-8") as file:
            file.write("// changed\n")
        after = [v.digest for v in units.read(self.folder / "units.yaml")]
        self.assertEqual([a == b for a, b in zip(before, after)], [True, False, False, False, True])
        self.assertNotEqual(after[1], after[2])


class Scaling(unittest.TestCase):
    def setUp(self):
        self.technology = technology.read(synthesise.RTL / "derating.yaml")

    def test_a_node_follows_the_coefficients(self):
        area, energy, origin = self.technology.factor(7)
        at_7 = 0.1776 * 0.7**2 - 0.09097 * 0.7 + 0.02447
        at_65 = 3.755 - 4.398 + 1.975  # at 1 V
        self.assertEqual((area, origin), (0.039, "scaled"))
        self.assertAlmostEqual(energy, at_7 / at_65)
        self.assertAlmostEqual(energy, 0.0359, places=4)  # as computed elsewhere from the same table

    def test_sram_of_a_computed_node_is_the_macro_over_its_bits(self):
        at_65 = self.technology.sram(65)
        self.assertEqual(at_65["origin"], "computed by CACTI")
        self.assertAlmostEqual(at_65["area_um2"], 54900 / 65536)
        self.assertAlmostEqual(at_65["energy_pj"], 8.81 / 64)
        self.assertAlmostEqual(self.technology.sram(7)["area_um2"], 54900 / 65536 * 0.039)
        self.assertEqual(self.technology.sram(180)["origin"], "assumed from CACTI at 65 nm")

    def test_every_factor_says_its_source(self):
        for row in self.technology.derating_rows():
            self.assertTrue(row["source"], row)
        self.assertAlmostEqual(self.technology.derating("clock"), 1.25 * 1.3 * 1.05)

    def test_the_command_line_goes_before_and_says_so(self):
        given = technology.read(synthesise.RTL / "derating.yaml", technology.derates(["clock=2,area=1.5"]))
        self.assertEqual((given.derating("clock"), given.derating("area")), (2, 1.5))
        self.assertIn(
            {"quantity": "clock", "part": "all", "factor": 2, "source": "the command line"}, given.derating_rows()
        )
        for wrong in ("clock", "clock=x", "clock=0.5", "colour=2", "clock=nan"):
            with self.subTest(wrong), self.assertRaises(InputError):
                technology.derates([wrong])

    def test_a_library_without_a_node_asks_for_one(self):
        with self.assertRaisesRegex(InputError, "--node"):
            self.technology.library("unheard")
        self.assertEqual(self.technology.library("unheard", 28), ("unheard", 28))

    def test_a_cross_check_projects_to_65_nm_and_tells_what_is_within_a_factor_of_two(self):
        row = {
            "unit": "asc_encoder_lane",
            "variant": "1-stream",
            "library": "l",
            "node_nm": 130,
            "area_um2": 4.3 * 14600 * 1.5,
        }
        row |= {"gates": 11700 * 3.0, "period_ps": 2e6 / 588, "energy_pj_per_cycle": 1.0}
        found = {(r["of"], r["figure"]): r for r in self.technology.cross_checks([row])}
        area, clock = found["encoder by components", "area_65_um2"], found["AV1 arithmetic encoder", "mhz_65"]
        self.assertAlmostEqual(area["ratio"], 1.5)
        self.assertEqual(area["within_2x"], "yes")
        self.assertAlmostEqual(clock["ratio"], 1)
        self.assertEqual(found["AV1 arithmetic encoder", "gates"]["within_2x"], "no")


def recorded(file, cycles, widths):
    """Writes a VCD of ports: a moment before and one at each rising edge."""
    codes = {name: chr(ord("!") + at) for at, name in enumerate(("clk", *widths))}
    lines = ["$timescale 1ps $end", "$scope module TOP $end", f"$var wire 1 {codes['clk']} clk $end"]
    lines += [f"$var wire {width} {codes[name]} {name} [{width - 1}:0] $end" for name, width in widths.items()]
    lines += ["$upscope $end", "$enddefinitions $end"]
    for time, values in enumerate(cycles):
        lines += [f"#{2 * time}", f"0{codes['clk']}"]
        for name, value in values.items():
            lines.append(f"{value}{codes[name]}" if widths[name] == 1 else f"b{value:b} {codes[name]}")
        lines += [f"#{2 * time + 1}", f"1{codes['clk']}"]
    file.write_text("\n".join(lines) + "\n", encoding="ascii")


def adder_cycles(count, seed=1):
    """What the ports of the adder do: inputs, and the sum of those two edges before."""
    dice, first, second, total = random.Random(seed), 0, 0, 0
    cycles = []
    for at in range(count):
        values = {"rst": int(at == 0), "a": dice.randrange(256), "b": dice.randrange(256), "sum": total}
        cycles.append(values)
        first, second, total = (0, 0, 0) if values["rst"] else (values["a"], values["b"], first + second & 255)
    return cycles


WIDTHS = {"rst": 1, "a": 8, "b": 8, "sum": 8}


class Recorded(Folder):
    def test_ports_are_those_just_before_each_rising_edge(self):
        cycles = adder_cycles(5)
        recorded(self.folder / "a.vcd", cycles, WIDTHS)
        self.assertEqual(vcd.cycles(self.folder / "a.vcd", WIDTHS), cycles)
        self.assertEqual(vcd.cycles(self.folder / "a.vcd", {"a": 8}, most=2), [{"a": c["a"]} for c in cycles[:2]])

    def test_ports_that_are_not_there_are_named(self):
        recorded(self.folder / "a.vcd", adder_cycles(5), WIDTHS)
        for ports in ({"a": 8, "carry": 1}, {"carry": 1, "a": 8}):
            with self.assertRaisesRegex(InputError, "port carry"):
                vcd.cycles(self.folder / "a.vcd", ports)
        with self.assertRaisesRegex(InputError, "port a"):
            vcd.cycles(self.folder / "a.vcd", {"a": 9})
        with self.assertRaisesRegex(InputError, "no such recorded"):
            vcd.cycles(self.folder / "b.vcd", {"a": 9})

    def test_a_line_that_is_none_is_refused_with_its_number(self):
        file = self.folder / "a.vcd"
        recorded(file, adder_cycles(5), WIDTHS)
        whole = file.read_text().splitlines()
        first = next(at for at, line in enumerate(whole) if line.startswith("b"))
        for at, line in (
            (0, "$upscope $end"),
            (0, "$scope\n$var wire"),
            (first, whole[first].replace("b", "b2")),
            (first, "b1"),
        ):
            file.write_text("\n".join([*whole[:at], line, *whole[at:]]))
            with self.assertRaisesRegex(
                InputError, rf"a\.vcd:{1 + at + line.count(chr(10))}: is no line of a recorded"
            ):
                vcd.cycles(file, WIDTHS)

    def test_no_change_of_a_recording_ends_in_anything_but_a_line(self):
        file, draw = self.folder / "a.vcd", random.Random(48)
        recorded(file, adder_cycles(5), WIDTHS)
        whole = file.read_bytes()
        for _ in range(500):
            data = bytearray(whole)
            for _ in range(draw.randint(1, 4)):
                data[draw.randrange(len(data))] = draw.choice(b"$b01x \n#aend")
            file.write_bytes(bytes(data))
            try:
                vcd.cycles(file, WIDTHS)
            except InputError as error:
                self.assertNotIn("\n", str(error))


@WITH_TOOLS
class Flow(Folder):
    """With Debian's library, which is the same everywhere."""

    def setUp(self):
        super().setUp()
        self.used = liberty.read(synthesise.DEFAULT_LIBERTY)
        self.file = self.folder / "used.lib"
        self.file.write_text(self.used.without_excluded(), encoding="utf-8")
        self.variants = {f"{v.unit}:{v.name}": v for v in units.read(FIXTURE / "units.yaml")}

    def synthesised(self, name, activity=None):
        return flow.synthesised(self.variants[name], self.used, self.file, self.folder, activity, 0.1)

    def test_an_adder_has_a_flip_flop_for_each_bit(self):
        found = self.synthesised("adder:as-it-is")
        self.assertEqual(found["flip_flops"], 24)
        self.assertAlmostEqual(found["area_sequential_um2"], 24 * 96)  # DFFPOSX1
        self.assertAlmostEqual(found["gates"] * 24, found["area_um2"])  # NAND2X1
        self.assertIn(found["path_start"].split("[")[0], ("first", "second"))
        self.assertEqual(found["path_end"].split("[")[0], "sum")

    def test_a_register_between_two_functions_about_halves_the_period(self):
        one, two = self.synthesised("squares:one"), self.synthesised("squares:two")
        self.assertEqual((one["flip_flops"], two["flip_flops"]), (32, 48))
        self.assertLess(two["period_ps"] / one["period_ps"], 0.7)
        self.assertGreater(two["period_ps"] / one["period_ps"], 0.4)

    def test_parameters_may_be_words(self):
        half, two = self.synthesised("squares:half"), self.synthesised("squares:two")
        self.assertEqual((half["flip_flops"], two["flip_flops"]), (32, 48))
        self.assertLess(half["area_combinational_um2"], 0.7 * two["area_combinational_um2"])

    def test_cells_not_to_be_used_are_not(self):
        self.used = liberty.read(synthesise.DEFAULT_LIBERTY, ["XOR*", "XNOR*", "FAX*", "HAX*"])
        self.file.write_text(self.used.without_excluded(), encoding="utf-8")
        self.synthesised("adder:as-it-is")
        module = json.loads((self.folder / "unit.json").read_text(encoding="utf-8"))["modules"]["unit"]
        types = {cell["type"] for cell in module["cells"].values()}
        self.assertIn("DFFPOSX1", types)
        self.assertFalse([name for name in types if name.startswith(("XOR", "XNOR", "FAX", "HAX"))])

    def test_a_latch_in_the_rtl_is_refused(self):
        with self.assertRaisesRegex(InputError, "latch"):
            self.synthesised("latch:as-it-is")

    def chain(self, inverters):
        """Timing and power of a toggling register, inverters, and a register."""
        wires = "".join(f"wire n{at};\n" for at in range(inverters + 1))
        cells = "".join(f"INVX1 i{at} (.A(n{at}), .Y(n{at + 1}));\n" for at in range(inverters))
        (self.folder / "unit.v").write_text(
            f"module unit (clk, d, q);\ninput clk; input d; output q;\n{wires}{cells}"
            f"DFFPOSX1 first (.CLK(clk), .D(d), .Q(n0));\n"
            f"DFFPOSX1 last (.CLK(clk), .D(n{inverters}), .Q(q));\nendmodule\n",
            encoding="utf-8",
        )
        (self.folder / "unit.tcl").write_text(flow.sta_script(self.file, True), encoding="utf-8")
        return flow.run(["sta", "-exit", "-no_splash", "unit.tcl"], self.folder, "chain")

    def test_a_chain_of_inverters_has_as_many_levels_and_each_two_take_as_long(self):
        texts = {count: self.chain(count).split("== ports")[0] for count in (4, 6, 8)}
        paths = {count: flow.path(text) for count, text in texts.items()}
        for count, found in paths.items():
            self.assertEqual((found["start"], found["end"], len(found["instances"])), ("first", "last", count + 2))
        more = [paths[6]["period_ps"] - paths[4]["period_ps"], paths[8]["period_ps"] - paths[6]["period_ps"]]
        self.assertGreater(more[0], 10)
        self.assertAlmostEqual(more[0], more[1], delta=0.1 * more[0])

    def test_a_net_that_changes_each_cycle_takes_half_c_v_squared(self):
        energies, _ = flow.instance_energies(*self.chain(4).split("== idle")[1].split("== busy"))
        capacitance = float(liberty.attribute(self.used.cells["INVX1"].pins["A"], "capacitance"))  # in pF
        idle, busy, switching = energies["i1"]  # drives the pin A of another
        self.assertAlmostEqual(switching / (capacitance * 1.8**2 / 2), 1, places=3)  # at 1.8 V
        self.assertEqual(idle, 0)
        self.assertGreater(busy, 0)
        self.assertGreater(energies["first"][0], 0)  # the clock pin

    def test_energy_follows_the_transitions_of_each_output(self):
        self.synthesised("adder:as-it-is")
        module = json.loads((self.folder / "unit.json").read_text(encoding="utf-8"))["modules"]["unit"]
        made = netlist.Netlist(module, self.used)
        energies = dict.fromkeys(made.instances, (0.0, 0.0, 0.0))
        instance, (_, pins) = next(item for item in made.instances.items() if not item[1][0].flip_flop)
        energies[instance] = (0.5, 2.0, 1.0)
        self.assertAlmostEqual(flow.energy(made, energies, {pins["Y"]: (0.25, 0.5)}), 0.5 + (1.5 + 1.0) * 0.25)
        self.assertAlmostEqual(flow.energy(made, energies, {}), 0.5)

    def test_a_recorded_simulation_is_replayed_and_its_activity_counts(self):
        busy, idle = adder_cycles(200), [{"rst": 0, "a": 0, "b": 0, "sum": 0}] * 200
        energy = []
        for cycles in (busy, idle):
            recorded(self.folder / "Adder.vcd", cycles, WIDTHS)
            found = self.synthesised("adder:as-it-is", self.folder)
            self.assertEqual(found["activity_cycles"], 200)
            energy.append(found["energy_pj_per_cycle"])
        self.assertGreater(energy[0], 1.3 * energy[1])
        self.assertGreater(energy[1], 0)  # the clock's pins

    def test_toggles_of_registers_are_those_of_the_inputs(self):
        self.synthesised("adder:as-it-is")
        module = json.loads((self.folder / "unit.json").read_text(encoding="utf-8"))["modules"]["unit"]
        cycles = adder_cycles(300)
        made = netlist.Netlist(module, self.used)
        activity, outputs = made.simulator().run(cycles)
        self.assertEqual(outputs, [{"sum": c["sum"]} for c in cycles])
        toggled = sum((x["a"] ^ y["a"]) & 1 for x, y in zip(cycles, cycles[1:])) / 299
        self.assertAlmostEqual(activity[made.ports("input")["a"][0]][0], toggled)
        for bit in made.ports("output")["sum"]:
            self.assertGreater(activity[bit][0], 0.4)  # random bits change in half of the cycles
            self.assertLess(activity[bit][0], 0.6)

    def test_a_netlist_that_does_something_else_than_the_rtl_did_is_found(self):
        cycles = adder_cycles(100)
        cycles[70]["sum"] ^= 4
        recorded(self.folder / "Adder.vcd", cycles, WIDTHS)
        with self.assertRaisesRegex(InputError, "in cycle 70 sum differs"):
            self.synthesised("adder:as-it-is", self.folder)


class Script(Folder):
    def setUp(self):
        super().setUp()
        self.rtl, self.out, self.cache = self.folder / "rtl", self.folder / "out", self.folder / "cache"
        shutil.copytree(FIXTURE, self.rtl)
        shutil.copy(synthesise.RTL / "derating.yaml", self.rtl)

    def run_script(self, *arguments):
        folders = ["--rtl", str(self.rtl), "-o", str(self.out), "--cache", str(self.cache)]
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            status = synthesise.main([*folders, *arguments])
        return status, said.getvalue()

    @WITH_TOOLS
    def test_figures_of_other_units_stay_and_a_finished_run_is_not_made_again(self):
        self.assertEqual(self.run_script("--unit", "adder")[0], 0)
        with mock.patch.object(flow, "synthesised", wraps=flow.synthesised) as runs:
            self.assertEqual(self.run_script("--unit", "adder", "--unit", "squares:two")[0], 0)
        self.assertEqual([call.args[0].unit for call in runs.call_args_list], ["squares"])
        rows = record.read(self.out / "synthesis.csv")
        self.assertEqual([(row["unit"], row["library"]) for row in rows], [("adder", "osu018"), ("squares", "osu018")])
        self.assertEqual(rows[0]["activity"], "vectorless 0.1")
        self.assertAlmostEqual(rows[0]["period_derated_ps"] / rows[0]["period_ps"], 1.25 * 1.3 * 1.05, places=5)
        self.assertAlmostEqual(rows[1]["sram_mm2"], (2048 + 16) * 54900 / 65536 * 8.24e-6, places=8)
        page = (self.out / "SUMMARY.md").read_text(encoding="utf-8")
        self.assertIn("| adder | as-it-is | osu018 (180 nm) |", page)
        said = record.yaml.safe_load((self.out / "technology-osu018.yaml").read_text(encoding="utf-8"))
        (unit,) = said["engine"]["technology"]["units"]  # the other has no name there
        keys = ["area", "energy_basis", "energy_per_cycle", "leakage", "period", "unit", "variant"]
        self.assertEqual(sorted(unit), keys)
        self.assertEqual(unit["energy_basis"], "vectorless")
        self.assertEqual((unit["unit"], unit["period"]), ("value_adder", f"{math.ceil(rows[0]['period_ps'])}ps"))
        self.assertAlmostEqual(float(unit["area"].removesuffix("um2")), rows[0]["area_um2"], delta=0.1)

    @WITH_TOOLS
    def test_a_clock_that_is_not_reached_is_said_behind_the_results(self):
        status, said = self.run_script("--unit", "adder", "--clock", "100GHz")
        self.assertEqual(status, synthesise.NOT_REACHED)
        self.assertRegex(
            said, r"adder as-it-is, osu018: needs \d+ ps .*times the clock asked for, from (first|second)\["
        )
        self.assertTrue((self.out / "synthesis.csv").is_file())
        self.assertEqual(self.run_script("--unit", "adder", "--clock", "1MHz")[0], 0)

    @WITH_TOOLS
    def test_an_interrupt_or_an_error_leaves_the_results_as_they_were(self):
        self.out.mkdir()
        (self.out / "synthesis.csv").write_text("# kept\n" + ",".join(record.COLUMNS) + "\n", encoding="utf-8")
        with mock.patch.object(flow, "synthesised", side_effect=KeyboardInterrupt), self.assertRaises(
            KeyboardInterrupt
        ):
            self.run_script("--unit", "squares", "-j", "1")
        with self.assertRaises(InputError):
            self.run_script("--unit", "squares:one", "--unit", "latch")
        self.assertEqual([file.name for file in self.out.iterdir()], ["synthesis.csv"])
        self.assertTrue((self.out / "synthesis.csv").read_text(encoding="utf-8").startswith("# kept"))

    def test_a_missing_tool_names_its_package(self):
        with mock.patch.object(flow.shutil, "which", lambda name: None if name == "sta" else name):
            with self.assertRaisesRegex(InputError, "^there is no sta: apt-get install opensta"):
                self.run_script("--unit", "adder")
        self.assertFalse(self.out.exists())

    def test_a_missing_default_library_names_its_package(self):
        with mock.patch.object(synthesise, "DEFAULT_LIBERTY", self.folder / "none.lib"), mock.patch.object(
            flow, "versions", lambda: {"yosys": "0", "opensta": "0"}
        ), self.assertRaisesRegex(InputError, "apt-get install qflow-tech-osu018"):
            self.run_script("--unit", "adder")

    def test_the_shipped_page_is_that_of_the_shipped_figures(self):
        before = {file.name: file.read_text(encoding="utf-8") for file in synthesise.RESULTS.iterdir()}
        shutil.copytree(synthesise.RESULTS, self.out)
        self.rtl = synthesise.RTL
        self.assertEqual(self.run_script("--from-csv")[0], 0)
        self.assertEqual({name: (self.out / name).read_text(encoding="utf-8") for name in before}, before)


if __name__ == "__main__":
    unittest.main()
