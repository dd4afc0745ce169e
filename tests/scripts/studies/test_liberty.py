"""python/oscar_synthesis: libraries of standard cells, and the trees of buffers that are made of them."""

import gzip
import json
import tempfile
import unittest
from pathlib import Path

from tests.scripts.loading import script

script("synthesise")  # whose modules these are
from oscar_summary.command import InputError  # noqa: E402
from oscar_synthesis import fan_out, liberty, netlist  # noqa: E402

CELLS = """
  cell (INV) { area : 1; pin (A) { direction : input; } pin (Y) { function : "!A"; } }
  cell (ND2) { area : 2; pin (A) { direction : input; } pin (B) { } pin (Y) { function : "(A B)'"; } }
  cell (ND2B) { area : 1.5; pin (A) { } pin (B) { } pin (Y) { function : "!A + B"; } }
  cell (DFF) { area : 5; ff (IQ, IQN) { next_state : "D"; clocked_on : "CK"; } pin (Q) { function : "IQ"; } }
  cell (OLD) { area : 1; dont_use : true; pin (Y) { function : "(A B)'"; } }
  cell (SDF) { area : 6; ff (IQ, IQN) { next_state : "SE*SI + SE'*D"; clocked_on : "CK"; } pin (Q) { } }
  cell (TDF) { area : 6; ff (IQ, IQN) { next_state : "D"; clocked_on : "CK"; } test_cell () { } }
  cell (LAT) { area : 4; latch (IQ, IQN) { enable : "G"; data_in : "D"; } pin (Q) { } }
  cell (ICG) { area : 4; clock_gating_integrated_cell : latch_posedge; pin (Q) { } }
  cell (TRI) { area : 4; pin (Y) { function : "A"; three_state : "E"; } }
"""
HEAD = """library ("tiny") { /* cell (COMMENT) { } */
  time_unit : "10ps"; capacitive_load_unit (2,ff); leakage_power_unit : "1nW"; voltage_unit : "1V";
"""


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def library(self, text, name="tiny.lib"):
        file = self.folder / name
        file.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
        return file


class Liberty(Folder):
    def test_cells_that_keep_no_plain_bit_are_not_used_and_the_rest_is(self):
        read = liberty.read(self.library(HEAD + CELLS + "}"))
        self.assertEqual(list(read.used()), ["INV", "ND2", "ND2B", "DFF"])
        reasons = {name: cell.unusable for name, cell in read.cells.items() if cell.unusable}
        wanted = {
            "OLD": "dont_use",
            "SDF": "scan",
            "TDF": "scan",
            "LAT": "latch",
            "ICG": "clock gate",
            "TRI": "three-state",
        }
        self.assertEqual(reasons, wanted)

    def test_what_is_left_away_is_no_longer_in_the_text_and_a_pattern_leaves_more_away(self):
        read = liberty.read(self.library(HEAD + CELLS + "}"), ["ND2*"])
        left = liberty.read(self.library(read.without_excluded(), "left.lib"))
        self.assertEqual(list(left.cells), ["INV", "DFF"])
        self.assertIsNone(left.gate_area)

    def test_an_area_may_end_with_its_line(self):
        text = CELLS.replace("cell (INV) { area : 1;", "cell (INV) {\narea : 1.25\n")
        read = liberty.read(self.library(HEAD + text + "}"))
        self.assertEqual([cell.area for cell in read.used().values()], [1.25, 2, 1.5, 5])

    def test_units_are_read_in_both_forms_and_the_gate_is_the_nand_of_two(self):
        read = liberty.read(self.library(HEAD + CELLS + "}", "tiny.lib.gz"))
        self.assertEqual((read.time_ps, read.capacitance_ff, read.leakage_uw, read.voltage_v), (10, 2, 1e-3, 1))
        self.assertEqual(read.gate_area, 2)  # of ND2: ND2B is smaller, but no NAND

    def test_what_is_no_library_is_refused_in_one_line(self):
        wrong = {
            "no Liberty file": "module m; endmodule",
            "has no flip-flop": HEAD
            + CELLS.replace("cell (DFF)", "cell (X) { } cell (DFF2)").replace("ff (", "xx (")
            + "}",
            "time_unit is 1jiffy": HEAD.replace("10ps", "1jiffy") + CELLS + "}",
            "capacitive_load_unit is missing": HEAD.replace("capacitive_load_unit", "other") + CELLS + "}",
        }
        for words, text in wrong.items():
            with self.subTest(words), self.assertRaisesRegex(InputError, f"^[^\n]*{words}[^\n]*$"):
                liberty.read(self.library(text))
        with self.assertRaisesRegex(InputError, "no such library"):
            liberty.read(self.folder / "nothing.lib")
        broken = self.folder / "broken.lib.gz"
        broken.write_bytes(gzip.compress(HEAD.encode())[:20])
        with self.assertRaisesRegex(InputError, "no whole gzip file"):
            liberty.read(broken)


BUFFERS = """
  cell (REG) { area : 5; ff (IQ, IQN) { next_state : "D"; clocked_on : "CK"; }
    pin (D) { } pin (CK) { } pin (Q) { function : "IQ"; } }
  cell (BUF1) { area : 2; pin (A) { capacitance : 1; } pin (Y) { function : "A"; max_capacitance : 200; } }
  cell (BUF2) { area : 3; pin (A) { capacitance : 2; } pin (Y) { function : "A"; max_capacitance : 400; } }
  cell (DLY) { area : 1; pin (A) { capacitance : 1; } pin (Y) { function : "A"; max_capacitance : 100; } }
"""


class FanOut(Folder):
    """A register q, from input d, whose inverse is given out at many ports."""

    def setUp(self):
        super().setUp()
        self.known = liberty.read(self.library(HEAD + CELLS + BUFFERS + "}"))

    def module(self, sinks):
        cells = {"q": {"type": "REG", "connections": {"D": [3], "CK": [2], "Q": [4]}}}
        cells |= {f"i{at}": {"type": "INV", "connections": {"A": [4], "Y": [10 + at]}} for at in range(sinks)}
        ports = {"clk": ("input", [2]), "d": ("input", [3]), "y": ("output", [10 + at for at in range(sinks)])}
        # A port that nothing uses has a bit of its own.
        ports["unused"] = ("input", [10 + sinks])
        return {"cells": cells, "ports": {n: {"direction": d, "bits": b} for n, (d, b) in ports.items()}}

    def test_a_register_that_drives_few_pins_stays_as_it_is(self):
        module = self.module(fan_out.MOST_PINS)
        self.assertEqual(fan_out.buffered(module, self.known), module)

    def test_one_that_drives_more_has_a_tree_that_does_the_same(self):
        module = self.module(fan_out.MOST_PINS + 1)
        before = json.dumps(module)
        made = netlist.Netlist(fan_out.buffered(module, self.known), self.known)
        self.assertEqual(json.dumps(module), before, "the given netlist is left alone")
        driven = fan_out.sinks(made.module, self.known)
        self.assertLessEqual(max(len(pins) for bit, pins in driven.items() if bit != 2), fan_out.PINS)
        trees = [cell["type"] for name, cell in made.module["cells"].items() if name.startswith("_tree")]
        self.assertEqual(trees, ["BUF1"] * (19 + 2), "of 301 pins, 16 each, and of those 19")
        self.assertEqual(made.area(), (5, fan_out.MOST_PINS + 1 + 2 * 21))
        cycles = [{"d": bit, "unused": 1} for bit in (0, 1, 1, 0, 1)]
        self.assertEqual(
            made.simulator().run(cycles)[1], netlist.Netlist(module, self.known).simulator().run(cycles)[1]
        )

    def test_the_buffer_is_the_smallest_that_drives_its_pins_with_a_margin(self):
        self.assertEqual(fan_out.buffer_of(self.known), ("BUF1", "A", "Y"))
        with self.assertRaisesRegex(InputError, "^tiny: has no buffer that drives 16 of its own pins"):
            fan_out.buffer_of(liberty.read(self.library(HEAD + CELLS + "}")))


if __name__ == "__main__":
    unittest.main()
