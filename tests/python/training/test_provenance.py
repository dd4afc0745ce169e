"""python/oscar_training.provenance and .stale: what a record was made of, and which of them that is no longer."""

import ast
import json
import tempfile
import unittest
from pathlib import Path

from oscar_training import provenance, settings, stale
from oscar_workloads.workloads import WORKLOADS
from support import made

LENET = WORKLOADS["lenet-fmnist"]
LOSSY = "models/compressor"


def imported(path):
    """Modules of oscar_training that a module of it imports, as paths."""
    found = set()
    for node in ast.walk(ast.parse((provenance.ROOT / path).read_text())):
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            found |= {node.module} if node.module else {name.name for name in node.names}
    return {f"python/oscar_training/{name}.py" for name in found} - {
        "python/oscar_training/AFTER_ALL_STEPS.py",
        "python/oscar_training/error.py",
    }


class Sources(unittest.TestCase):
    def test_a_method_has_its_own_sources_and_those_that_they_include(self):
        found = provenance.sources("dgc", LENET)
        for path in (
            f"{LOSSY}/sparse/dgc.cpp",
            f"{LOSSY}/sparse/momentum.cpp",
            f"{LOSSY}/base/selection.hpp",
            "models/core/random.hpp",
            f"{LOSSY}/base/feedback.cpp",
            "python/oscar_training/machine.py",
            "python/oscar_training/loop.py",
            "python/oscar_workloads/lenet.py",
            "python/oscar_workloads/images.py",
        ):
            self.assertIn(path, found)

    def test_and_not_the_whole_tree(self):
        for kind, none in (
            ("dgc", "oscar_sw.cpp"),
            ("dense", "dgc.cpp"),
            ("power_sgd", "lhc.cpp"),
            ("asc", "dense.cpp"),
            ("oscar_sw", "gravac.cpp"),
        ):
            found = provenance.sources(kind, LENET)
            self.assertFalse(
                [
                    path
                    for path in found
                    if Path(path).name in (none, "gpt.py", "curves.py", "summary.py", "compressors.hpp")
                ],
                kind,
            )
            self.assertLess(len(found), 80)

    def test_every_kind_has_sources_and_all_of_them_exist(self):
        import oscar_sim

        for kind in [*oscar_sim.families()["compressor"], *oscar_sim.families()["codec"]]:
            with self.subTest(kind):
                found = provenance.sources(kind, LENET)
                self.assertTrue(all((provenance.ROOT / path).is_file() for path in found))
                self.assertTrue(
                    any(
                        path.startswith(("models/compressor/", "models/quantise/")) and path.endswith(".cpp")
                        for path in found
                    )
                )

    def test_a_selection_by_name_counts_too(self):
        self.assertIn(f"{LOSSY}/sparse/top_k.hpp", provenance.sources("top_k", LENET))

    def test_what_the_python_of_a_training_imports_is_in_the_lists(self):
        known = {*provenance.LOOP}
        for path in sorted(path for path in known if path.startswith("python/oscar_training/")):
            with self.subTest(path):
                self.assertLessEqual(imported(path), known)


class Digests(unittest.TestCase):
    PYTHON = (
        '''"""What it is."""\nRATE = 0.1\ndef scaled(values, by=RATE):\n    return [by * value for value in values]\n'''
    )
    CPP = """#include <cmath>

#include "models/core/index.hpp"

namespace oscar::inline codec {
namespace {

int twice(int x) { return 2 * x; }

}   // namespace
std::string of(int x) { return fmt::format("a  {} // b", twice(x)); }
}   // namespace oscar::inline codec
"""

    def digest(self, name, text):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / name).write_text(text)
            return provenance.digest(Path(folder) / name)

    def compare(self, name, text, other):
        self.assertNotEqual(text, other)
        return self.digest(name, text) == self.digest(name, other)

    def test_a_changed_constant_is_other_code(self):
        for name, text, old, new in (
            ("a.py", self.PYTHON, "0.1", "0.2"),
            ("a.cpp", self.CPP, "2 * x", "3 * x"),
            ("a.cpp", self.CPP, "a  {}", "a {}"),
            ("a.cpp", self.CPP, "// b", "// c"),
        ):
            with self.subTest(name, old=old):
                self.assertFalse(self.compare(name, text, text.replace(old, new)))

    def test_a_changed_name_call_or_default_is_other_code(self):
        for name, text, old, new in (
            ("a.py", self.PYTHON, "by=RATE", "by=1"),
            ("a.py", self.PYTHON, "by * value", "by + value"),
            ("a.cpp", self.CPP, "twice(x))", "(x))"),
            ("a.cpp", self.CPP, "int twice(int x)", "int twice(long x)"),
            ("a.cpp", "++x;", "++x", "--x"),
            ("a.cpp", "using namespace a;\n", "a;", "b;"),
            ("a.cpp", "int a;", "int a", "inta"),
        ):
            with self.subTest(name, old=old):
                self.assertFalse(self.compare(name, text, text.replace(old, new)))

    def test_the_form_of_python_is_not(self):
        other = (
            "RATE  =  0.1\n\n\ndef scaled(\n    values,\n    by=RATE,\n):\n    "
            "return [\n        (by * value) for value in values\n    ]\n"
        )
        self.assertTrue(self.compare("a.py", self.PYTHON, other))
        self.assertTrue(self.compare("a.py", "a = 'one' 'two'\n", 'a = (\n    "one"\n    "two"\n)\n'))

    def test_comments_and_docstrings_of_python_are_not(self):
        for old, new in (
            ("RATE = 0.1", "RATE = 0.1   # of learning"),
            ("What it is", "What else it is"),
            ("    return", '    """Those."""\n    return'),
        ):
            with self.subTest(old):
                self.assertTrue(self.compare("a.py", self.PYTHON, self.PYTHON.replace(old, new)))
        self.assertTrue(self.compare("a.py", "class A:\n    pass\n", 'class A:\n    """What it is."""\n'))

    def test_what_is_no_python_counts_as_it_is(self):
        self.assertFalse(self.compare("a.py", "print 1\n", "print  1\n"))

    def test_the_form_of_c_plus_plus_is_not(self):
        for old, new in (
            ("{ return 2 * x; }", "{\n    return 2*x;\n}"),
            ("twice(x))", "twice( x ) )"),
            ("\n\n", "\n"),
            ("<cmath>", "<numeric>"),
            ("core/index", "index/index"),
            ("oscar::inline codec", "oscar"),
            ("namespace {", "namespace two {"),
            ("namespace oscar::inline codec {", "namespace oscar {   // all"),
        ):
            with self.subTest(old):
                self.assertTrue(self.compare("a.cpp", self.CPP, self.CPP.replace(old, new)))

    def test_comments_of_c_plus_plus_are_not(self):
        for old, new in (
            ("int twice", "/// Two times x.\nint twice"),
            ("2 * x; }", '2 * x; }   // by "two'),
            ("(int x)", "(int x /* in\nbits */)"),
        ):
            with self.subTest(new):
                self.assertTrue(self.compare("a.cpp", self.CPP, self.CPP.replace(old, new)))


class Workloads(unittest.TestCase):
    def test_what_only_captures_read_is_not_in_a_record(self):
        method = settings.Method("dense", "dense")
        recorded = provenance.of_record(made(method), method, LENET, clock_now=[1, 1])["workload"]
        self.assertEqual(set(recorded), {"name", "model", "optimiser", "lr", "batch", "steps", "momentum"})


class Differences(unittest.TestCase):
    NOW = {
        "sources": {"a.cpp": "1", "b.cpp": "2"},
        "workload": {"lr": 0.1},
        "data": "d 1",
        "versions": {"torch": "1.13"},
        "clock": [10, 8],
    }

    def test_nothing_changed_is_nothing(self):
        self.assertEqual(provenance.differences(self.NOW, json.loads(json.dumps(self.NOW))), [])

    def test_each_part_is_named(self):
        for change, words in (
            ({"sources": {"a.cpp": "1", "b.cpp": "3"}}, ["b.cpp"]),
            ({"sources": {"a.cpp": "1"}}, ["b.cpp"]),
            ({"workload": {"lr": 0.2}}, ["workload"]),
            ({"data": "d 2"}, ["data"]),
            ({"clock": [11, 8]}, ["the clock's times"]),
        ):
            self.assertEqual(provenance.differences(self.NOW, {**self.NOW, **change}), words)

    def test_other_versions_are_told_apart(self):
        later = {**self.NOW, "versions": {"torch": "2.0"}}
        self.assertEqual(provenance.differences(self.NOW, later), [])
        self.assertEqual(provenance.other_versions(self.NOW, later), ["torch 1.13, now 2.0"])
        self.assertEqual(provenance.other_versions(self.NOW, self.NOW), [])

    def other_sources(self, **sources):
        return provenance.differences(
            self.NOW, {**self.NOW, "sources": {path.replace("_cpp", ".cpp"): code for path, code in sources.items()}}
        )

    def test_a_file_that_moved_is_no_change(self):
        self.assertEqual(self.other_sources(b_cpp="2", c_cpp="1"), [])

    def test_one_that_moved_and_changed_is(self):
        self.assertEqual(self.other_sources(b_cpp="2", c_cpp="3"), ["a.cpp", "c.cpp"])
        self.assertEqual(self.other_sources(b_cpp="3", c_cpp="1"), ["b.cpp"])

    def test_two_that_have_changed_places_are(self):
        self.assertEqual(self.other_sources(a_cpp="2", b_cpp="1"), ["a.cpp", "b.cpp"])

    def test_a_second_copy_is(self):
        self.assertEqual(self.other_sources(a_cpp="1", b_cpp="2", c_cpp="1"), ["c.cpp"])


class Clocks(unittest.TestCase):
    def clock(self, kind, machine=None, **parameters):
        return provenance.clock(made(machine=machine), settings.Method("m", kind, parameters))

    def test_it_is_what_the_machine_gives_and_the_same_each_time(self):
        for kind in ("dense", "asc"):
            slow, fast, again = (
                self.clock(kind, {"network": {"link": {"bandwidth": rate}}}) for rate in ("1Gbps", "2Gbps", "2Gbps")
            )
            self.assertEqual(fast, again)
            self.assertGreater(slow[0], fast[0])

    def test_it_depends_on_the_coder(self):
        self.assertNotEqual(self.clock("asc"), self.clock("rans"))


class Records(unittest.TestCase):
    def test_each_record_has_its_reason(self):
        method = settings.Method("dense", "dense")
        said = made(method)
        now, identity = provenance.of_record(said, method, LENET), settings.identity(said, method, 1)
        other = {**now, "sources": {**now["sources"], f"{LOSSY}/dense.cpp": "0"}}
        records = {
            "new": {"identity": identity, "made_of": now},
            "old": {"identity": identity, "rows": []},
            "other": {"identity": "x", "made_of": now},
            "changed": {"identity": identity, "made_of": other},
        }
        with tempfile.TemporaryDirectory() as folder:
            jobs = [(said, method, 1, Path(folder) / f"{name}.json") for name in records]
            for job, record in zip(jobs, records.values()):
                job[3].write_text(json.dumps(record))
            reasons = stale.reasons(jobs)
        settled = "made with other settings"
        self.assertEqual(reasons, ["", settled, settled, f"{LOSSY}/dense.cpp"])


if __name__ == "__main__":
    unittest.main()
