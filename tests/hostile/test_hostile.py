"""The judge finds what it is to find, variants are those of their seed, and a small share of them is read."""

import collections
import importlib.machinery
import importlib.util
import random
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import judge  # noqa: E402
import mutations  # noqa: E402
import readers  # noqa: E402

COUNT = 200


def ended(status, errors="", seconds=0.1):
    return judge.problem(judge.Outcome(status, "", errors, seconds), echoed="a file that says std::")


class Judge(unittest.TestCase):
    def test_refusals_of_one_line_and_results_are_fine(self):
        for outcome in ((0,), (2, "oscar-sim: a.yaml:1:2: wrong; write it right\n"), (3, "deadlock\n")):
            self.assertIsNone(ended(*outcome))

    def test_signals_tracebacks_and_words_of_libraries_are_not(self):
        self.assertEqual(ended(-11), "signal 11")
        self.assertEqual(ended(139), "signal 11")
        self.assertEqual(ended(1, "oscar-sim: no\n"), "exit 1")
        self.assertEqual(ended(2, "a\nb\n"), "exit 2 without its one line")
        self.assertEqual(ended(2), "exit 2 without its one line")
        for words in ("Traceback (most recent call last):", "[json.exception.type_error.305]", "terminate called"):
            self.assertIn("words of a library", ended(2, f"oscar-sim: {words}\n"))

    def test_words_of_the_input_may_come_back(self):
        self.assertIsNone(ended(2, "oscar-sim: 'std::': no such method; choose another\n"))

    def test_a_run_may_take_long_where_it_says_so(self):
        self.assertEqual(ended(None), "over 20 s in silence")
        self.assertIsNone(ended(None, "oscar-sim: this run takes about 43 min\n"))


class Variants(unittest.TestCase):
    def test_are_those_of_their_seed(self):
        seed = b'{"a": [1, 2, {"b": "text"}]}'

        def made(number):
            structured = lambda chance: readers.restructured_json(chance, seed)  # noqa: E731
            return [readers.variant(random.Random(f"{number}:{i}"), seed, structured) for i in range(60)]

        self.assertEqual(made(1), made(1))
        self.assertNotEqual(made(1), made(2))
        self.assertGreater(len(set(made(1))), 50)
        self.assertLessEqual(max(map(len, made(1))), mutations.MOST)

    def test_are_dealt_out_by_shares(self):
        dealt = collections.Counter(readers.dealt(["report", "goal", "npy"], 70))  # 5 to 1 to 1
        self.assertEqual(dealt, {"report": 50, "goal": 10, "npy": 10})


class Readers(unittest.TestCase):
    def test_no_variant_is_a_finding(self):
        loader = importlib.machinery.SourceFileLoader("hostile_run", str(HERE / "run"))
        run = importlib.util.module_from_spec(importlib.util.spec_from_loader("hostile_run", loader))
        sys.modules["hostile_run"] = run  # by this name the processes find it
        loader.exec_module(run)
        self.assertEqual(run.main([str(COUNT), "-j", "2"]), 0)


if __name__ == "__main__":
    unittest.main()
