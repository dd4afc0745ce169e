"""The C++ of docs/add-*.md, compiled against the tree and run: each page's files with a driver that uses them. With the
lines of a page in its list the whole program still compiles."""

import functools
import json
import os
import re
import shlex
import subprocess
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BUILD = Path(os.environ.get("OSCAR_BUILD", ROOT / "build/release")).resolve()
COMPILE = [
    "g++",
    "-std=c++20",
    "-O1",
    "-Wall",
    "-Wextra",
    "-Wpedantic",
    "-Wshadow",
    "-Wconversion",
    "-Werror",
    "-ffp-contract=off",
    *os.environ.get("OSCAR_CXX_FLAGS", "").split(),
]  # as the libraries were compiled: sanitizers

CODEC = """
#include <cstdio>
#include <random>
#include "models/codec/kinds/gamma.hpp"
using namespace oscar;
/// Bytes of a message of `values` equal symbols, if it decodes to itself; without the block's header and lengths.
int main() {
    const auto codec = make_codec(GammaParams{}, Framing{});
    std::mt19937 random(1);
    for (const std::uint32_t width : {2u, 8u, 11u, 31u, 32u}) {
        std::vector<Symbol> symbols(5000), decoded(5000);
        for (Symbol& symbol : symbols) {
            symbol = static_cast<Symbol>((random() & ((1u << (width - 1)) - 1)) >> random() % width);
            if (random() % 2 == 0) symbol = -symbol;
        }
        if (width == 32) symbols[0] = INT32_MIN;
        const Encoded message = codec->encode(symbols, {.width = width}, {});
        codec->decode(message.bytes, {.width = width}, {}, decoded);
        if (decoded != symbols || Bytes{message.bytes.size()} > codec->bound(symbols.size(), width)) return 1;
    }
    const std::vector<Symbol> ones(8000, 1);
    std::vector<std::byte> bytes = codec->encode(ones, {.width = 8}, {}).bytes;
    std::printf("%zu %u\\n", bytes.size(), codec->cost(1, 8, nullptr));
    for (std::size_t i = 16; i < bytes.size(); ++i) bytes[i] = std::byte{0};   // zeros without an end
    try {
        std::vector<Symbol> out(8000);
        codec->decode(bytes, {.width = 8}, {}, out);
    } catch (const CorruptStream&) { return 0; }
    return 2;
}
"""

TOPOLOGY = """
#include <cstdio>
#include "models/network/topology/kinds/dumbbell.hpp"
using namespace oscar;
int main() {
    const Topology t = make_topology(DumbbellParams{.trunk = 2}, 5, LinkParams{});
    std::printf("%zu %s ", t.edges.size(), t.edge_name(EdgeId{4}).c_str());
    std::printf("%s %s\\n", t.edge_name(EdgeId{6}).c_str(), t.edge_name(EdgeId{12}).c_str());
}
"""

LOSSY = """
#include <cmath>
#include <cstdio>
#include "models/compressor/base/feedback.hpp"
#include "models/compressor/base/input.hpp"
#include "models/compressor/quantised/truncated.hpp"
using namespace oscar;
int main() {
    const auto compressor = make_compressor(TruncatedParams{}, 2, 1);
    const std::vector<std::vector<float>> gradients{{1.0f, 3.14159f, -1e-3f}, {1.0f, -3.14159f, 3e-3f}};
    const std::vector<TensorShape> tensors{{0, 3, 0}};
    const CompressionResult step = compressor->step(views(gradients), tensors);
    for (std::size_t r = 0; r < 2; ++r)
        for (std::size_t i = 0; i < 3; ++i)
            if (!(std::fabs(gradients[r][i] - step.sent[r][i]) < std::fabs(gradients[r][i]) / 128)) return 1;
    std::printf("%g %g %llu\\n", static_cast<double>(step.mean[0]), static_cast<double>(step.mean[1]),
                static_cast<unsigned long long>(step.exchanges[0].padded));
}
"""


def files(page):
    """Path -> text of the C++ blocks of a page whose first line is a comment with their path."""
    text = (ROOT / f"docs/{page}.md").read_text(encoding="utf-8")
    return {
        block[1]: block[2]
        for block in re.finditer(r"^```cpp\n// (models/\S+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    }


def libraries(*rooms):
    return [str(BUILD / f"models/{room}/liboscar_{room}.a") for room in rooms]


def write_files(page, folder):
    """Writes the files of a page below `folder`; returns their paths."""
    written = files(page)
    for path, text in written.items():
        (Path(folder) / path).parent.mkdir(parents=True, exist_ok=True)
        (Path(folder) / path).write_text(text, encoding="utf-8")
    return list(written)


@functools.lru_cache(None)
def included_by(file):
    """The files of the project that `file` includes itself."""
    try:
        text = Path(file).read_text(encoding="utf-8")
    except OSError:
        return ()
    names = re.findall(r'^#include "([^"]+)"', text, re.MULTILINE)
    return tuple(name if name.startswith("/") else str(ROOT / name) for name in names)


def reaches(file, header, seen):
    """Whether `file` includes `header`, directly or by other headers."""
    if file in seen:
        return False
    seen.add(file)
    return any(name == header or reaches(name, header, seen) for name in included_by(file))


class Guide(unittest.TestCase):
    def printed(self, page, driver, *rooms):
        """What the driver prints, built with the files of the page."""
        with tempfile.TemporaryDirectory() as folder:
            written = write_files(page, folder)
            self.assertEqual(len(written), 2, "a header and a source")
            (Path(folder) / "driver.cpp").write_text(driver, encoding="utf-8")
            sources = [str(Path(folder) / path) for path in written if path.endswith(".cpp")]
            built = subprocess.run(
                [
                    *COMPILE,
                    f"-I{folder}",
                    f"-I{ROOT}",
                    *sources,
                    f"{folder}/driver.cpp",
                    *libraries(*rooms),
                    "-lzstd",
                    "-llz4",
                    "-o",
                    f"{folder}/driver",
                ],
                capture_output=True,
                text=True,
                check=False,
            )
            self.assertEqual(built.returncode, 0, built.stderr)
            done = subprocess.run([f"{folder}/driver"], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            return done.stdout.split()

    def test_the_codec_decodes_what_it_encodes_and_refuses_what_it_does_not(self):
        size, cost = self.printed("add-codec", CODEC, "codec", "core")
        self.assertEqual(int(cost), 3 * 256)  # 1 is number 3: a zero, a one, and one bit
        self.assertLess(int(size), 8000)  # 3 bits each are 3000 bytes, beside the header and the lengths of the lanes
        self.assertGreaterEqual(int(size), 3000)

    def test_the_topology_has_a_cable_for_each_rank_and_the_trunk(self):
        self.assertEqual(
            self.printed("add-topology", TOPOLOGY, "network", "core"),
            ["14", "rank2->switch0", "rank3->switch1", "switch0->switch1"],
        )  # 2 (5 + 2) one-way links

    def test_the_lossy_method_keeps_its_law_and_counts_two_bytes_a_value(self):
        self.assertEqual(
            self.printed("add-lossy-method", LOSSY, "compressor", "quantise", "codec", "core"), ["1", "0", "6"]
        )

    def test_lines_of_lists_are_like_those_that_are_there(self):
        for page, header, family in (
            ("add-codec", "models/codec/kinds/codecs.hpp", "codecs"),
            ("add-topology", "models/network/topology/kinds/topologies.hpp", "topologies"),
            ("add-lossy-method", "models/compressor/compressors.hpp", "quantised_kinds"),
        ):
            text = (ROOT / f"docs/{page}.md").read_text(encoding="utf-8")
            self.assertIn(f"`{header}`", text)
            self.assertRegex(text, r"```\n    kind<\w+Params>\(\"\w+\", \"[^\"]+\"\),\n```")
            self.assertRegex(
                (ROOT / header).read_text(encoding="utf-8"), rf"auto {family} = Entries\{{\n    kind<\w+>\(\"\w+\", \""
            )


class WholeProgram(unittest.TestCase):
    """A list with one kind more: each unit of the program that includes the list is compiled, without code."""

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def add_kind(self, page, header):
        """Puts the page's files into the folder, and the list in `header` with the page's line."""
        source = next(path for path in write_files(page, self.folder) if path.endswith(".hpp"))
        line = re.search(r"```\n(    kind<\w+Params>.*?)\n```", (ROOT / f"docs/{page}.md").read_text(encoding="utf-8"))[
            1
        ]
        text = (ROOT / header).read_text(encoding="utf-8")
        text = text.replace("#pragma once\n", f'#pragma once\n\n#include "{source}"\n', 1)
        text, count = re.subn(r"(?m)^};$", f"{line}\n}};", text, count=1)
        self.assertEqual(count, 1, f"{header} has one list")
        (self.folder / header).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / header).write_text(text, encoding="utf-8")

    def command_of(self, entry):
        """That of the build, with the folder before the tree, without code and precompiled headers."""
        words = shlex.split(re.sub(r" -MD -MT \S+ -MF \S+| -o \S+", "", entry["command"]))
        if "-include" in words:
            at = words.index("-include") + 1
            header = self.folder / entry["file"].strip("/").replace("/", "_")
            header.write_text(Path(words[at]).read_text(encoding="utf-8"), encoding="utf-8")
            words[at] = str(header)
        return [words[0], f"-I{self.folder}", *words[1:], "-fsyntax-only"]

    def errors_of(self, entry):
        done = subprocess.run(
            self.command_of(entry), cwd=entry["directory"], capture_output=True, text=True, check=False
        )
        return done.stderr if done.returncode else ""

    def units_with(self, header):
        """Entries of the compilation database, apart from tests and precompiled headers."""
        for entry in json.loads((BUILD / "compile_commands.json").read_text(encoding="utf-8")):
            relative = Path(entry["file"]).relative_to(BUILD if entry["file"].startswith(str(BUILD)) else ROOT)
            if relative.parts[0] in ("tests", "examples") or "cmake_pch" in entry["file"]:
                continue
            precompiled = re.search(r"-include (\S+)", entry["command"])
            starts = [entry["file"]] + ([precompiled[1]] if precompiled else [])
            if any(reaches(start, str(ROOT / header), set()) for start in starts):
                yield entry

    def test_compiles_with_the_codec_in_the_list(self):
        header = "models/codec/kinds/codecs.hpp"
        self.add_kind("add-codec", header)
        units = list(self.units_with(header))
        rooms = {
            re.search(r"/(models|sim)/(\w+)/", unit["file"])[2] for unit in units if "/python/" not in unit["file"]
        }
        self.assertLessEqual({"codec", "engine", "machine", "parameters", "run", "commands"}, rooms)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for unit, errors in zip(units, pool.map(self.errors_of, units)):
                self.assertEqual(errors, "", unit["file"])


if __name__ == "__main__":
    unittest.main()
