"""python/oscar_training.settings: mistakes in a file are told in one line with their place."""

import tempfile
import unittest
from pathlib import Path

from oscar_training import TrainingError, settings
from support import GOOD, Files


class RefusedSettings(Files):
    def test_every_mistake_is_one_line_with_its_place_and_how_to_write_it(self):
        for change, why in (
            ({"step": 5}, r": step: no such parameter \(did you mean steps\?\); known: "),
            ({"ranks": 1}, ": ranks: 1 is out of range; choose 2 to "),
            ({"methods": ["topk"]}, r": methods\.0: .* \(did you mean top_k\?\)"),
            ({"machine": {"ranks": 4}}, r": machine\.ranks: follows from the training"),
            ({"workload": "lenet"}, r": workload: no workload 'lenet' \(did you mean lenet-fmnist\?\); known: "),
        ):
            with self.subTest(why), self.assertRaisesRegex(TrainingError, r"^[^ ]*/a\.yaml:\d+:\d+: [^\n]*$") as caught:
                self.load({**GOOD, **change})
            with self.subTest(why):
                self.assertRegex(str(caught.exception), why)

    def test_a_file_that_is_none_or_no_yaml_is_told(self):
        for text in (b"a: [1", b"a: \xff", b"", b"[a]", b"steps: 1\nsteps: 2\n"):
            with self.subTest(text), self.assertRaisesRegex(TrainingError, r"a\.yaml:\d+"):
                self.text(text)
        with self.assertRaisesRegex(TrainingError, "none.yaml: "):
            settings.load("none.yaml")

    def test_problems_of_machine_and_methods_have_the_place_of_those(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "a.yaml"
            file.write_text("workload: lenet-fmnist\nmachine: {}\nmethods: [dense, qsgd]\n")
            with self.assertRaisesRegex(TrainingError, r"a\.yaml:2:10: machine: no link"):
                settings.load(file, lambda settings, method: ("machine", "no link"))
            with self.assertRaisesRegex(TrainingError, r"a\.yaml:3:18: methods\.1: qsgd: too bad"):
                settings.load(file, lambda settings, method: ("method", "too bad") if method.kind == "qsgd" else None)


if __name__ == "__main__":
    unittest.main()
