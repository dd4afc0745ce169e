"""python/oscar_training.settings: what a file of a training says, and which records are made with it."""

import dataclasses
import tempfile
import unittest
from pathlib import Path

import yaml
from oscar_training import TrainingError, settings
from support import GOOD, Files


class Settings(Files):
    def test_methods_have_a_name_a_kind_and_parameters(self):
        read = self.load(GOOD)
        self.assertEqual(
            [(m.name, m.kind, m.parameters) for m in read.methods],
            [("dense", "dense", {}), ("tenth", "top_k", {"factor": 10})],
        )
        self.assertEqual(
            (read.machine, read.seeds, read.name),
            ({}, (1, 2, 3), "a"),
        )
        self.assertEqual(self.load({**GOOD, "learning_rate": "6e-3"}).learning_rate, 6e-3)  # as YAML reads 6e-3
        self.assertEqual(self.load({**GOOD, "name": "other"}).name, "other")

    def test_methods_come_from_files_too(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "common.yaml").write_text(yaml.safe_dump(["dense", {"kind": "dgc"}]))
            (Path(folder) / "a.yaml").write_text(yaml.safe_dump({**GOOD, "methods": ["common.yaml", "qsgd"]}))
            self.assertEqual([m.name for m in settings.load(Path(folder) / "a.yaml").methods], ["dense", "dgc", "qsgd"])
        with self.assertRaisesRegex(TrainingError, "none.yaml"):
            self.load({**GOOD, "methods": ["none.yaml"]})

    def test_a_file_of_methods_may_be_named_from_two_files_that_are_not_in_one_another(self):
        read = self.text(yaml.safe_dump({**GOOD, "methods": ["one.yaml", "two.yaml"]}), one="- dense\n", two="- qsgd\n")
        self.assertEqual([m.name for m in read.methods], ["dense", "qsgd"])

    def test_what_is_not_said_is_as_the_program_has_it_by_default(self):
        read = self.load(GOOD)
        for field in dataclasses.fields(settings.Settings):
            if field.default is not dataclasses.MISSING and field.name != "name":
                self.assertEqual(getattr(read, field.name), field.default, field.name)

    def test_numbers_of_a_method_are_numbers_and_texts_texts(self):
        method = {"kind": "oscar_sw", "bits": 8, "percentile": 99.9, "cells": "narrowest", "feedback": False}
        read = self.load({**GOOD, "methods": [method]}).methods[0]
        self.assertEqual(read.parameters, {"bits": 8, "percentile": 99.9, "cells": "narrowest", "feedback": False})

    def test_a_record_depends_on_all_that_is_not_as_by_default(self):
        read = self.load(GOOD)
        dense, tenth = read.methods
        of = settings.identity
        self.assertEqual(of(read, dense, 1), of(self.load({**GOOD, "steps": 0, "learning_rate": 0.0}), dense, 1))
        others = [
            of(read, tenth, 1),
            of(read, dense, 2),
            *(
                of(self.load({**GOOD, **change}), dense, 1)
                for change in (
                    {"steps": 5},
                    {"learning_rate": 0.1},
                    {"name": "b"},
                    {"machine": {"scale": 2}},
                )
            ),
        ]
        self.assertEqual(len({of(read, dense, 1), *others}), 1 + len(others))
        self.assertEqual(of(read, dense, 1), of(settings.only(read, ["dense"], [1]), dense, 1))

    def test_methods_and_seeds_are_chosen_by_name(self):
        read = settings.only(self.load(GOOD), ["tenth"], [7])
        self.assertEqual(([m.name for m in read.methods], read.seeds), (["tenth"], (7,)))
        with self.assertRaisesRegex(TrainingError, "did you mean tenth"):
            settings.only(self.load(GOOD), ["tent"], [])


if __name__ == "__main__":
    unittest.main()
