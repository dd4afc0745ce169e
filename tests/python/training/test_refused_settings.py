"""python/oscar_training.settings: mistakes in a file are told in one line with their place."""

import tempfile
import unittest
from pathlib import Path

import yaml
from oscar_training import TrainingError, settings
from support import GOOD, GPU, Files


class RefusedSettings(Files):
    def test_every_mistake_is_one_line_with_its_place_and_how_to_write_it(self):
        for change, why in (
            ({"step": 5}, r"a.yaml:\d+:\d+: step: no such key \(did you mean steps\?\); known: "),
            ({"compute": {"foward": 1}}, "compute.foward: no such key .did you mean forward"),
            ({"compute": {"forward": "1s"}}, "compute: `backward` is missing; write "),
            (
                {"compute": {"forward": 1e-3, "backward": "2ms"}},
                r"compute.forward: '0.001' lacks its unit \(ps ns us ms s\); write it like ",
            ),
            (
                {"compute": {"forward": "1ms", "backward": "2mss"}},
                "compute.backward: '2mss' has an unknown unit; known: ps ns us ms s",
            ),
            ({"compute": {"forward": "-1ms", "backward": "1ms"}}, "compute.forward: '-1ms' is no quantity"),
            (
                {"compute": {"forward": None, "backward": "1ms"}},
                "compute.forward: a time with its unit is wanted, not nothing; write 800us",
            ),
            ({"gpu": "no.yaml"}, "gpu: no file .*no.yaml"),
            ({"gpu": 3}, "gpu: a text is wanted, not 3"),
            ({"workload": "lenet"}, r"workload: no workload 'lenet' \(did you mean lenet-fmnist\?\)"),
            ({"methods": None}, r"methods: a list is wanted, not nothing; write \[dense"),
            ({"methods": []}, "methods: a list is wanted"),
            ({"methods": "dense"}, r"methods: a list is wanted, not 'dense'; write \[dense"),
            ({"methods": ["dense", "dense"]}, "methods: two are named 'dense'"),
            ({"methods": [{"name": "x"}]}, "methods: no `kind`"),
            ({"methods": [7]}, "methods: a map is wanted, not 7"),
            ({"methods": [{"kind": "dense", "name": "a/b"}]}, "methods.name: 'a/b' names a file"),
            ({"name": "a/b"}, "name: 'a/b' names a file or folder of results: write it without /"),
            ({"name": "../a"}, "name: "),
            ({"name": ".a"}, "name: "),
            ({"seeds": 1}, r"seeds: a list is wanted, not 1; write \[1, 2, 3\]"),
            ({"seeds": []}, "seeds: a list"),
            ({"seeds": [1, 1]}, "seeds: one is there twice"),
            ({"seeds": ["one"]}, "seeds: a whole number of at least 0 is wanted, not 'one'"),
            ({"ranks": "eight"}, "ranks: a whole number of at least 2 is wanted, not 'eight'; write 8"),
            ({"ranks": 1}, "ranks: "),
            ({"epoch": 0}, "epoch: a whole number of at least 1 is wanted, not 0; write 100"),
            ({"evaluate": 0}, "evaluate: "),
            ({"steps": 1.5}, "steps: "),
            ({"learning_rate": -1}, "learning_rate: a number of at least 0"),
            ({"scale": [2]}, "scale: a number above 0"),
            ({"scale": 0}, "scale: a number above 0"),
        ):
            with self.subTest(why), self.assertRaisesRegex(TrainingError, r"^[^ ]*/a\.yaml:\d+:\d+: [^\n]*$") as caught:
                self.load({**GOOD, **change})
            with self.subTest(why):
                self.assertRegex(str(caught.exception), why)

    def test_the_place_is_that_of_the_value(self):
        with self.assertRaisesRegex(TrainingError, r"a\.yaml:6:8: ranks: "):
            self.text(
                "workload: lenet-fmnist\ncompute: {forward: 1s, backward: 2s}\nmachine: {}\ngpu: gpu.yaml\n"
                "methods: [dense]\nranks: eight\n"
            )
        with self.assertRaisesRegex(TrainingError, r"gpu\.yaml:2:21: seconds\.elements: a number of at least 0"):
            self.text(yaml.safe_dump(GOOD), gpu="source: none\nseconds: {elements: fast}\n")

    def test_what_is_no_yaml_says_where(self):
        for text, why in (
            (b"a: [1", r"a\.yaml:\d+:\d+: no YAML: "),
            (b"a: \xff", r"a\.yaml: byte 3 is not UTF-8"),
            (b"", r"a\.yaml:1:1: the file is empty"),
            (b"[a]", r"a\.yaml:1:1: a map is wanted"),
            (b"steps: 1\nsteps: 2\n", r"a\.yaml:2:1: steps: is there twice"),
            (b"steps: 2020-01-01\n1: 2\n", r"a\.yaml:2:1: 1: a key must be a text"),
        ):
            with self.subTest(why), self.assertRaisesRegex(TrainingError, why):
                self.text(text)
        with self.assertRaisesRegex(TrainingError, "none.yaml: No such file"):
            settings.load("none.yaml")
        with self.assertRaisesRegex(TrainingError, r"machine: only texts, numbers, lists and maps"):
            self.text(yaml.safe_dump({**GOOD, "machine": {"size": __import__("datetime").date(2020, 1, 1)}}))

    def test_a_methods_file_that_leads_back_to_itself_is_refused(self):
        with self.assertRaisesRegex(
            TrainingError, r"other\.yaml:1:4: methods.*leads back to itself|other\.yaml:1:3: .*leads back to itself"
        ):
            self.text(yaml.safe_dump({**GOOD, "methods": ["other.yaml"]}), other="- other.yaml\n")
        with self.assertRaisesRegex(TrainingError, "one.yaml is a file that leads back to itself"):
            self.text(yaml.safe_dump({**GOOD, "methods": ["one.yaml"]}), one="- two.yaml\n", two="- one.yaml\n")

    def test_problems_of_machine_and_methods_have_the_place_of_those(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "gpu.yaml").write_text(yaml.safe_dump(GPU))
            file = Path(folder) / "a.yaml"
            file.write_text(
                "workload: lenet-fmnist\ncompute: {forward: 1s, backward: 2s}\nmachine: {}\ngpu: gpu.yaml\n"
                "methods: [dense, qsgd]\n"
            )
            with self.assertRaisesRegex(TrainingError, r"a\.yaml:3:10: machine: no link"):
                settings.load(file, lambda settings: "no link")
            with self.assertRaisesRegex(TrainingError, r"a\.yaml:5:18: methods: qsgd: too bad"):
                settings.load(
                    file, lambda settings: None, lambda method, settings: "too bad" if method.kind == "qsgd" else None
                )


if __name__ == "__main__":
    unittest.main()
