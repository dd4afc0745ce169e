"""python/oscar_synthesis: libraries of standard cells, and the trees of buffers that are made of them."""

import gzip
import json
import random
import tempfile
import time
import unittest
from pathlib import Path

from tests.scripts.loading import script

script("synthesise")  # whose modules these are
from oscar_summary.command import InputError  # noqa: E402
from oscar_synthesis import fan_out, liberty, logic, netlist  # noqa: E402

CELLS = """
  cell (INV) { area : 1; pin (A) { direction : input; } pin (Y) { function : "!A"; } }
  cell (ND2) { area : 2; pin (A) { direction : input; } pin (B) { } pin (Y) { function : "(A B)'"; } }
  cell (ND2B) { area : 1.5; pin (A) { } pin (B) { } pin (Y) { function : "!A + B"; } }
  cell (DFF) { area : 5; ff (IQ, IQN) { next_state : "D"; clocked_on : "CK"; }
    pin (D) { } pin (CK) { } pin (Q) { function : "IQ"; } }
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

    def refused(self, text):
        with self.assertRaises(InputError) as caught:
            liberty.read(self.library(text))
        said = str(caught.exception)
        self.assertNotIn("\n", said)
        return said.replace(f"{self.folder}/", "")

    def test_what_a_used_cell_says_wrongly_is_refused_at_its_line(self):
        """Lines: two of HEAD, an empty one, then a cell a line: INV in line 4, ND2 in line 5, DFF in line 7."""
        for found, put, words in (
            ("area : 1;", "area : wide;", "tiny.lib:4: cell INV: area is 'wide', no number of 0 or more"),
            ("area : 1;", "area : -1;", "tiny.lib:4: cell INV: area is '-1', no number of 0 or more"),
            ("area : 1;", "area : nan;", "tiny.lib:4: cell INV: area is 'nan', no number of 0 or more"),
            ("direction : input;", "capacitance : 1p;", "tiny.lib:4: cell INV: capacitance is '1p', no number"),
            ('"!A"', '"!"', "tiny.lib:4: cell INV: function of pin Y is '!': ends where a pin is due"),
            ('"!A"', '"A +"', "tiny.lib:4: cell INV: function of pin Y is 'A +': ends where a pin is due"),
            ('"!A"', '""', "tiny.lib:4: cell INV: function of pin Y is '': ends where a pin is due"),
            ('"!A"', '"A ? 1"', "tiny.lib:4: cell INV: function of pin Y is 'A ? 1': '? 1' is no pin or operator"),
            ('"!A"', '"A)"', "tiny.lib:4: cell INV: function of pin Y is 'A)': ')' stands where an operator is due"),
            ('"!A"', '"+ A"', "tiny.lib:4: cell INV: function of pin Y is '+ A': '+' stands where a pin is due"),
            (
                "(A B)'",
                "(A B'",
                'tiny.lib:5: cell ND2: function of pin Y is "(A B\'": has a parenthesis that is not closed',
            ),
            ('next_state : "D";', "", "tiny.lib:7: cell DFF: a flip-flop without next_state"),
            (
                'next_state : "D"',
                'next_state : "E"',
                "tiny.lib:7: cell DFF: next_state is 'E', whose pins the cell has not",
            ),
            (
                'clocked_on : "CK";',
                'clear : "!R"; clocked_on : "CK";',
                "tiny.lib:7: cell DFF: clear is '!R', whose pins",
            ),
        ):
            with self.subTest(put):
                cells = CELLS.replace(found, put, 1)
                self.assertNotEqual(cells, CELLS)
                self.assertIn(words, self.refused(HEAD + cells + "}"))

    def test_a_cell_whose_function_names_unknown_pins_is_not_used(self):
        read = liberty.read(self.library(HEAD + CELLS.replace('"!A"', '"!Z"') + "}"))
        self.assertEqual(read.cells["INV"].unusable, "unknown pins")

    def test_a_cell_that_is_left_out_may_say_what_it_will(self):
        text = HEAD + CELLS.replace('"!A"', '"!"').replace("area : 1;", "area : wide;") + "}"
        self.assertEqual(list(liberty.read(self.library(text), ["INV"]).used()), ["ND2", "ND2B", "DFF"])

    def test_units_that_are_no_number_are_refused(self):
        for unit in ("1e+ps", "-1ps", "0ps", "1e999ps", "ps", "1e9", ""):
            said = self.refused(HEAD.replace("10ps", unit) + CELLS + "}")
            self.assertRegex(said, r"^tiny.lib:1: time_unit is .*, of which no unit is known")

    def test_groups_and_comments_must_end(self):
        whole = HEAD + CELLS
        self.assertIn("tiny.lib:4: a group does not end", self.refused(whole[: whole.index("pin (Y)")]))
        self.assertIn("tiny.lib:3: a comment does not end", self.refused(HEAD + "/* " + CELLS + "}"))

    def test_no_text_takes_long(self):
        """Each made one of the searches quadratic or worse: 5 KB of blanks took more than 10 s."""
        many = 20_000
        for part in (
            " " * many,
            "\t\n" * many,
            'area : "' + " " * many,
            "area : " + "x " * many,
            "pin (" * many,
            "pin (a) {" * many,
            "cell (a) {\n" * many,
            "cell (a) {" * many + "}" * many,
            "/* " * many,
            "values (" * many,
            "ff (a, " * many,
            "time_unit (" + "1" * many,
            'pin (Y) { function : "' + "(" * many + '"; }',
            'pin (Y) { function : "' + "!" * many + 'A"; }',
            'pin (Y) { function : "' + "A " * many + '"; }',
        ):
            for text in (HEAD + f"  cell (X) {{ {part} }}\n" + CELLS + "}", part, HEAD + part + CELLS + "}"):
                begin = time.process_time()
                try:
                    self.use(liberty.read(self.library(text)))
                except InputError as error:
                    self.assertNotIn("\n", str(error))
                self.assertLess(time.process_time() - begin, 5, part[:30])

    def use(self, read):
        """Calls what the flow calls of a library."""
        self.assertTrue(read.used())
        self.assertIsInstance(read.without_excluded(), str)
        for cell in read.used().values():
            self.assertGreaterEqual(cell.area, 0)
            for function in cell.functions.values():
                logic.compiled(function, logic.names(function))
            if cell.flip_flop:
                logic.compiled(cell.flip_flop["next_state"], cell.pins)
        self.assertIsNotNone((read.digest, read.gate_area))
        fan_out.buffer_of(read)

    def test_no_change_of_a_file_ends_in_anything_but_a_line(self):
        draw, whole = random.Random(47), (HEAD + CELLS + BUFFERS + "}").encode()
        packed, signs = gzip.compress(whole), b"{}();:\"'!*+^ \n\t/*01eE.-xA"
        for case in range(4000):
            data = bytearray(packed if case % 4 == 0 else whole)
            for _ in range(draw.randint(1, 4)):
                at, sign = draw.randrange(len(data)), draw.choice(signs) if draw.random() < 0.7 else draw.randrange(256)
                data[at : at + draw.choice((0, 1, 1, 1, 9))] = bytes([sign]) * draw.choice((0, 1, 1, 1, 60))
            file = self.folder / "changed.lib"
            file.write_bytes(bytes(data[: draw.randint(1, len(data))] if case % 5 == 0 else data))
            try:
                self.use(liberty.read(file))
            except InputError as error:
                self.assertNotIn("\n", str(error))
                self.assertRegex(str(error), r"changed\.lib|has no buffer")


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
