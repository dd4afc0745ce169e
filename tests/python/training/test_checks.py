"""Methods and machines that are none are told before anything is trained."""

import unittest

from oscar_training import machine, settings
from support import made


class Checks(unittest.TestCase):
    def problem(self, kind, on=None, **parameters):
        return machine.find_problem(made(machine=on), settings.Method("m", kind, parameters))

    def test_kinds_and_parameters_that_are_none_are_told_before_anything_is_trained(self):
        for kind, parameters, why in (
            ("top_k", {"factr": 2}, "factr: no such parameter .did you mean factor"),
            ("topk", {}, "did you mean top_k"),
            ("top_k", {"factor": 0}, "factor: "),
            ("power_sgd", {"codec": "asc"}, "its messages hold no integers"),
            ("asc", {"split": "kontext"}, "did you mean context"),
        ):
            with self.subTest(why):
                of, what = self.problem(kind, **parameters)
                self.assertEqual(of, "method")
                self.assertRegex(what, why)
        for kind in ("tagc", "asc", "dense", "fixed_point"):
            with self.subTest(kind):
                self.assertIsNone(self.problem(kind))

    def test_a_machine_that_is_none_is_told_by_its_own_keys(self):
        of, what = self.problem("dense", {"network": {"topologi": {}}})
        self.assertEqual(of, "machine")
        self.assertRegex(what, r"^network\.topologi: no such parameter \(did you mean topology")

    def test_a_step_without_the_time_of_its_backward_pass_is_told(self):
        of, what = self.problem("dense", {"step": {"forward": "1ms"}})
        self.assertEqual(of, "machine")
        self.assertRegex(what, "^step: no capture tells how long the backward pass takes; write it like step: ")


if __name__ == "__main__":
    unittest.main()
