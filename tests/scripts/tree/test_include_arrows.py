"""Rooms of the source tree include only rooms below them: the one list of what lies below what."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]

# From the lowest to the highest: a folder may include those above it in this list.
ORDER = """
models/core
models/timing
models/codec/bits models/codec/table models/codec/interface models/codec/learning models/codec/message
models/codec/entropy models/codec/kinds
models/partition
models/quantise
models/compressor/base models/compressor/sparse models/compressor/quantised models/compressor/sketch
models/compressor/adaptive models/compressor
models/collective/schedule models/collective/algorithms/all_reduce models/collective/algorithms/sharded
models/collective/algorithms/rooted models/collective/algorithms/listed models/collective/algorithms/nccl
models/collective/algorithms models/collective/endpoint
models/workload
models/network/link models/network/topology models/network/topology/kinds models/network/traffic models/network/params
models/network/event models/network/grid models/network/open_loop models/network/transport
models/engine models/engine/arrays models/engine/verilated
models/job
models/exchange
models/gpu
models/nic/wire models/nic
models/machine/base models/machine/flit models/machine/switch models/machine/router models/machine/node models/machine
models/predict
sim/config
sim/schedules
sim/fit
sim/describe
sim/files
sim/terminal
sim/generator
sim/trace
sim/replay
sim/report/causes sim/report/timeline
sim/report
sim/report/tables
sim/compare
sim/parameters
sim/checks/effort sim/checks/node sim/checks
sim/run/notes sim/run/iteration sim/run/lossy sim/run
sim/traffic
sim/sweep/processes sim/sweep/grid sim/sweep
sim/page
sim/commands/trace sim/commands
python/bindings
""".split()

# What only some folders may include, beside tests: a part of <...>, and the folders.
FOREIGN = {
    "systemc": ["models/machine", "sim/commands/main.cpp"],  # main starts its kernel
    "tlm": ["models/machine"],
    "yaml-cpp/": ["sim/config"],
    "boost/property_tree/": ["sim/schedules"],
    "CLI/": ["sim/commands"],
    "sqlite3.h": ["sim/sweep"],
    "libsmartcols/": ["sim/terminal"],
    "nlohmann/": ["sim/", "python/bindings"],
}

MOST_FILES = 40  # in a folder

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)


def folder_of(path):
    return path.rpartition("/")[0]


def includes(text):
    """(what is quoted, what is in angle brackets) of each #include."""
    return INCLUDE.findall(text)


def arrows(files):
    """{(folder, included folder): first file that includes it} of {path: text}."""
    result = {}
    for path, text in sorted(files.items()):
        for quoted, _ in includes(text):
            ends = folder_of(path), folder_of(quoted)
            if quoted and ends[0] != ends[1]:
                result.setdefault(ends, path)
    return result


def upward_arrows(files):
    """A sentence for each include of a room that does not stand below."""
    rank = {folder: position for position, folder in enumerate(ORDER)}
    sentences = [
        f"{folder} is no known room: name it in ORDER"
        for folder in sorted({folder_of(path) for path in files} - rank.keys())
    ]
    for (above, below), path in arrows(files).items():
        if above in rank and rank.get(below, len(ORDER)) > rank[above]:
            sentences.append(f"{path} includes {below}, which is not below {above}")
    return sentences


def circles(files):
    """The folders of circles of includes: those that reach themselves."""
    reached = {}
    for above, below in arrows(files):
        reached.setdefault(above, set()).add(below)
    changed = True
    while changed:
        changed = False
        for folder, others in reached.items():
            more = set().union(*(reached.get(other, set()) for other in others)) - others
            others |= more
            changed |= bool(more)
    return sorted(folder for folder, others in reached.items() if folder in others)


def foreign_includes(files):
    """A sentence for each library that a room includes and must not know."""
    sentences = []
    for path, text in sorted(files.items()):
        for _, header in includes(text):
            for library, folders in FOREIGN.items():
                if header.startswith(library) and not path.startswith(tuple(folders)):
                    sentences.append(f"{path} includes <{header}>, which is for {', '.join(folders)}")
    return sentences


def full_folders(files):
    folders = [folder_of(path) for path in files]
    return sorted(
        f"{folder} has {folders.count(folder)} files" for folder in set(folders) if folders.count(folder) > MOST_FILES
    )


def code_in(*rooms):
    return {
        path.relative_to(ROOT).as_posix(): path.read_text()
        for room in rooms
        for path in (ROOT / room).rglob("*.[ch]pp")
    }


class TheTree(unittest.TestCase):
    def setUp(self):
        self.files = code_in("models", "sim", "python/bindings")

    def test_has_no_arrow_from_a_lower_room_to_a_higher_one(self):
        self.assertGreater(len(self.files), 500)
        self.assertEqual(upward_arrows(self.files), [])

    def test_has_no_circle_of_folders(self):
        self.assertEqual(circles(self.files), [])

    def test_includes_libraries_only_where_they_belong(self):
        self.assertEqual(foreign_includes(self.files), [])

    def test_has_no_folder_of_more_than_forty_files(self):
        self.assertEqual(full_folders(code_in("models", "sim", "python", "tests")), [])

    def test_compiles_every_test_that_it_has(self):
        for file in sorted((ROOT / "tests").rglob("*_test.cpp")):
            lists = [
                folder / "CMakeLists.txt"
                for folder in file.parents
                if (folder / "CMakeLists.txt").is_file() and folder != ROOT
            ]
            named = any(str(file.relative_to(which.parent)) in which.read_text(encoding="utf-8") for which in lists)
            self.assertTrue(named, f"{file.relative_to(ROOT)} is in no CMakeLists.txt")

    def test_runs_every_module_of_tests_of_scripts_that_it_has(self):
        lists = (ROOT / "tests/scripts/CMakeLists.txt").read_text(encoding="utf-8")
        for file in sorted((ROOT / "tests/scripts").rglob("test_*.py")):
            folder, name = file.parent.name, file.stem.removeprefix("test_")
            self.assertRegex(lists, rf"oscar_script_tests\({folder} [^()]*\b{name}\b[^()]*\)", file)

    def test_lists_only_rooms_that_exist(self):
        self.assertEqual([room for room in ORDER if not list((ROOT / room).glob("*.[ch]pp"))], [])


class MadeUpTrees(unittest.TestCase):
    def test_are_refused_for_an_arrow_from_models_to_sim(self):
        files = {"models/nic/dma.cpp": '#include <vector>\n#include "sim/config/node.hpp"\n'}
        self.assertEqual(
            upward_arrows(files), ["models/nic/dma.cpp includes sim/config, which is not below models/nic"]
        )

    def test_are_refused_for_an_arrow_to_a_sub_room_on_the_right(self):
        files = {"models/codec/bits/bit_stream.hpp": '#include "models/codec/kinds/codecs.hpp"\n'}
        self.assertEqual(len(upward_arrows(files)), 1)

    def test_are_refused_for_a_room_that_is_not_listed(self):
        self.assertEqual(upward_arrows({"models/new/part.hpp": ""}), ["models/new is no known room: name it in ORDER"])

    def test_may_include_what_stands_below(self):
        self.assertEqual(upward_arrows({"sim/checks/load_experiment.cpp": '#include "sim/parameters/nodes.hpp"\n'}), [])

    def test_are_refused_for_a_circle(self):
        files = {
            "sim/a/x.hpp": '#include "sim/b/y.hpp"',
            "sim/b/y.hpp": '  #  include "sim/c/z.hpp"',
            "sim/c/z.hpp": '#include "sim/a/x.hpp"',
            "sim/d/w.hpp": '#include "sim/a/x.hpp"',
        }
        self.assertEqual(circles(files), ["sim/a", "sim/b", "sim/c"])

    def test_are_refused_for_systemc_outside_the_machine(self):
        files = {
            "models/nic/dma.hpp": "#include <systemc>\n",
            "models/machine/dma.hpp": "#include <systemc>\n",
            "sim/report/x.cpp": "#include <yaml-cpp/yaml.h>\n",
        }
        self.assertEqual(
            foreign_includes(files),
            [
                "models/nic/dma.hpp includes <systemc>, which is for models/machine, sim/commands/main.cpp",
                "sim/report/x.cpp includes <yaml-cpp/yaml.h>, which is for sim/config",
            ],
        )

    def test_are_refused_for_a_folder_of_forty_one_files(self):
        files = {f"models/nic/part{i}.hpp": "" for i in range(41)}
        self.assertEqual(full_folders(files), ["models/nic has 41 files"])
        files.popitem()
        self.assertEqual(full_folders(files), [])


if __name__ == "__main__":
    unittest.main()
