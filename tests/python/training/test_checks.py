"""Methods and machines that are none are told before anything is trained."""

import unittest

from oscar_training import methods, network, settings


class Checks(unittest.TestCase):
    CONSTANTS = {
        key: 1e-12 for key in ("elements", "comparisons", "hashes", "additions", "multiplications", "draws", "launch")
    }

    def settings(self, machine=None, gpu=None):
        return settings.Settings(
            "w", settings.Compute(1, 1), machine or {}, (), self.CONSTANTS if gpu is None else gpu, "", ranks=2
        )

    def test_kinds_and_parameters_that_are_none_are_told_before_anything_is_trained(self):
        for kind, parameters, why in (
            ("top_k", {"factr": 2}, "^factr: no such parameter .did you mean factor"),
            ("topk", {}, "^kind: .*did you mean top_k"),
            ("oscar_hw", {"quantiser": {"kind": "percentil"}}, "percentile"),
            ("top_k", {"factor": 0}, "^factor: "),
            ("oscar_hw", {"codec": {"kind": "ask"}}, "did you mean asc"),
            ("oscar_hw", {"every": 0}, "^every: "),
            ("oscar_hw", {"chnks": {}}, "^chnks: no such parameter"),
        ):
            with self.subTest(why):
                self.assertRegex(methods.find_problem(settings.Method("m", kind, parameters), self.settings()), why)
        for kind, parameters in (("tagc", {"sharded": True}), ("oscar_hw", {}), ("dense", {})):
            with self.subTest(kind):
                self.assertIsNone(methods.find_problem(settings.Method("m", kind, parameters), self.settings()))

    def test_a_method_whose_operations_have_no_seconds_is_told_too(self):
        self.assertRegex(
            methods.find_problem(settings.Method("m", "count_sketch"), self.settings(gpu={"launch": 1})),
            "gpu: no seconds for .*hashes",
        )

    def test_a_machine_that_is_none_is_told_by_its_own_keys(self):
        self.assertRegex(
            network.find_problem(self.settings({"network": {"topologi": {}}})),
            r"^network\.topologi: no such parameter \(did you mean topology",
        )
        self.assertIsNone(network.find_problem(self.settings()))


if __name__ == "__main__":
    unittest.main()
