"""Each room of the source tree says what it is, and docs/code.md follows a bucket and a key through the files."""

import re
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "python"))
from oscar_docs import rooms  # noqa: E402

HEAD = "| file | what it holds |\n| --- | --- |"  # of a table of files

STAGE = re.compile(r"^\| `([^`]+)` \| `(\w+)` \|", re.MULTILINE)
FIRST_FILE = re.compile(r"^\* \[`([^`]+)`\]\(([^)]+)\): ", re.MULTILINE)


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def by_hand(readme):
    """The part of a room's README above what is generated."""
    return readme.partition("<!-- generated:")[0]


def definition(function):
    """A pattern of a definition in C++ at the begin of a line, alone or in a class."""
    return re.compile(
        rf"^ {{0,4}}(?:[\w:<>,&*\[\]]+ )*[\w:<>,&*\[\]]*\b{function}\([^;{{}}]*\)[^;{{}}]*[{{:]", re.MULTILINE
    )


class Readmes(unittest.TestCase):
    def test_each_room_has_one_of_ten_to_twenty_lines_beside_its_list_of_files(self):
        self.assertGreaterEqual(len(rooms.rooms(ROOT)), 26)
        for room in rooms.rooms(ROOT):
            lines = by_hand(read(f"{room}/README.md")).strip().splitlines()
            self.assertTrue(lines[0].startswith(f"# {room}: "), room)
            self.assertIn(len(lines), range(10, 21), room)
            self.assertIn("**What it may know.** ", "\n".join(lines), room)

    def test_each_names_three_files_of_its_room_to_read_first(self):
        for room in rooms.rooms(ROOT):
            files = FIRST_FILE.findall(by_hand(read(f"{room}/README.md")))
            self.assertEqual(len(files), 3, room)
            for name, link in files:
                self.assertEqual(name, link)
                self.assertTrue((ROOT / room / link).is_file(), f"{room}/{link}")

    def test_what_is_generated_in_each_is_that_of_today(self):
        for name, block in rooms.blocks(ROOT).items():
            self.assertIn(
                f"<!-- generated: {rooms.MARK} -->\n\n{block}\n\n<!-- end -->\n",
                read(name),
                f"{name}: run scripts/generate_docs",
            )

    def test_each_header_begins_with_what_it_holds(self):
        silent = [
            f"{room}/{file}" for room in rooms.rooms(ROOT) for file, what in rooms.described(ROOT, room) if not what
        ]
        self.assertEqual(silent, [])


class Blocks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def write(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text, encoding="utf-8")

    def test_tell_who_includes_whom_and_what_each_file_holds(self):
        self.write("models/low/a.hpp", "// Numbers | of\n// a kind. More of them.\n#pragma once\n")
        self.write("models/low/a.cpp", "// Not told, for its header is.\n")
        self.write("models/low/deep/main.cpp", "// A program without a header.\n")
        self.write("sim/high/b.cpp", '#include "models/low/a.hpp"\n#include "sim/high/b.hpp"\n')
        (self.root / "sim/none").mkdir()
        self.assertEqual(
            rooms.blocks(self.root),
            {
                "models/low/README.md": "Includes no other room. Is included by `sim/high`.\n\n" + HEAD + "\n"
                "| [`a.hpp`](a.hpp) | Numbers \\| of a kind |\n"
                "| [`deep/main.cpp`](deep/main.cpp) | A program without a header |",
                "sim/high/README.md": "Includes `models/low`. Is included by no other room.\n\n" + HEAD,
            },
        )


class Routes(unittest.TestCase):
    PAGE = "docs/code.md"

    def stages(self, title):
        part = read(self.PAGE).partition(f"\n## {title}")[2].partition("\n## ")[0]
        return STAGE.findall(part)

    def test_lead_through_files_that_are_there_and_define_the_functions(self):
        stages = STAGE.findall(read(self.PAGE))
        self.assertGreater(len(stages), 40)
        for file, function in stages:
            self.assertTrue((ROOT / file).is_file(), file)
            self.assertRegex(read(file), definition(function), file)

    def test_a_call_or_a_comment_is_no_definition(self):
        for text in (
            "    void f(int a) override {\n",
            "Time Timeline::f(Time a,\n          Time b) const {",
            "    explicit f(int a)\n        : a_(a) {}",
        ):
            self.assertRegex(text, definition("f"))
        for text in ("    return f(3);\n", "// f(3) {\n", "        f(3);\n    }\n", "    int f(int a);\n"):
            self.assertNotRegex(text, definition("f"))

    def test_pass_few_files(self):
        for title, most in (("A bucket", 40), ("A key", 14)):
            files = {Path(file).with_suffix("") for file, _ in self.stages(title)}
            self.assertLessEqual(len(files), most, title)
            self.assertGreater(len(files), 10, title)


if __name__ == "__main__":
    unittest.main()
