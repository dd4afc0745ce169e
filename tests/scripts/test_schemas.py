"""The JSON schemas of the program take every shipped configuration and every golden report, and refuse wrong ones."""

import copy
import json
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import jsonschema
import yaml

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("OSCAR_BUILD", ROOT / "build/release")) / "oscar-sim"
CLOCK = ("threads", "wall_s", "cpu_s", "peak_rss_bytes", "events_per_wall_s", "flit_hops_per_cpu_s")   # which goldens leave out


class Loader(yaml.SafeLoader):
    """YAML 1.2, as editors and the program read it: `on` is a text and 1e3 a number."""


Loader.yaml_implicit_resolvers = {}
for tag, pattern, first in (("bool", "true|false", "tf"), ("null", "null|~|", "n~"), ("int", "[-+]?[0-9]+", "-+0123456789"),
                            ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+.0123456789")):
    Loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(f"^(?:{pattern})$"), list(first) + ([""] if tag == "null" else []))


def read(text):
    return yaml.load(text, Loader)


def schema(name):
    done = subprocess.run([str(PROGRAM), "describe", name, "--schema"], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def kind_of(config):
    """The schema that the configuration is for."""
    for key, name in (("axes", "sweep"), ("traffic", "traffic"), ("predictor", "prediction")):
        if key in config:
            return name
    return "experiment"


class Schemas(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.validators = {name: jsonschema.Draft7Validator(schema(name))
                          for name in ("experiment", "sweep", "traffic", "prediction", "report")}

    def errors(self, name, document):
        return [f"{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}"
                for error in self.validators[name].iter_errors(document)]

    def test_are_sound(self):
        for name, validator in self.validators.items():
            with self.subTest(schema=name):
                jsonschema.Draft7Validator.check_schema(validator.schema)

    def test_take_every_shipped_configuration(self):
        files = [file for folder in ("experiments", "sweeps", "traffic", "validation") for file in (ROOT / "configs" / folder).glob("*.yaml")]
        self.assertGreater(len(files), 40)
        seen = set()
        for file in files:
            with self.subTest(file=file.name):
                config = read(file.read_text(encoding="utf-8"))
                seen.add(kind_of(config))
                self.assertEqual(self.errors(kind_of(config), config), [])
        self.assertEqual(seen, {"experiment", "sweep", "traffic", "prediction"})

    def goldens(self):
        for file in (ROOT / "tests/golden").glob("*.json"):
            report = json.loads(file.read_text(encoding="utf-8"))
            report["host"].update(dict.fromkeys(CLOCK, 0))
            yield file.name, report

    def test_take_every_golden_report_and_the_configuration_that_it_echoes(self):
        names = set()
        for name, report in self.goldens():
            with self.subTest(file=name):
                self.assertEqual(self.errors("report", report), [])
                self.assertEqual(self.errors("experiment", report["config"]), [])
                names.add(name)
        self.assertGreater(len(names), 10)

    def test_refuse_a_report_that_lacks_or_adds_a_figure(self):
        _, report = next(self.goldens())
        for change in (lambda r: r["methods"][0].pop("allreduce_ps"), lambda r: r["methods"][0].update(speed=1),
                       lambda r: r["trace"].update(elements="many"), lambda r: r.update(schema=2)):
            changed = copy.deepcopy(report)
            change(changed)
            self.assertNotEqual(self.errors("report", changed), [])

    WRONG = {"experiment": ("rankz: 8", "ranks: 1", "ranks: eight", "quantiser: {kind: maximum}", "quantiser: {kind: max, percentile: 9}",
                            "network: {link: {bandwidth: 400}}", "network: {link: {bandwidth: 400Gb}}", "methods: asc",
                            "methods: [{kind: asc, chunk: equal}]", "fidelity: flits", "delta_gather: 1", "seed: -1.5"),
             "sweep": ("axes: [{key: ranks, values: []}]", "axes: [{key: ranks}]", "axes: [{zip: [{key: ranks, values: [2]}]}]", "axes: []"),
             "traffic": ("topology: {kind: star}", "router: {vcs: many}"),
             "prediction": ("predictor: nccl", "sizes: [1]")}
    COMMANDS = {"experiment": "run", "sweep": "sweep", "traffic": "traffic", "prediction": "predict"}
    BEFORE = {"experiment": "", "sweep": "base: {payload: synthetic, size: 1MiB, methods: [fp32]}\n", "traffic": "traffic: {loads: [0.1]}\n",
              "prediction": ""}

    def test_refuse_what_the_program_refuses(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, texts in self.WRONG.items():
                for text in texts:
                    with self.subTest(schema=name, text=text):
                        self.assertNotEqual(self.errors(name, read(self.BEFORE[name] + text)), [])
                        file = Path(folder) / "wrong.yaml"
                        file.write_text(self.BEFORE[name] + text + "\n", encoding="utf-8")
                        done = subprocess.run([str(PROGRAM), self.COMMANDS[name], str(file), "-o", folder + "/out"], capture_output=True,
                                              check=False)
                        self.assertEqual(done.returncode, 2)

    def test_tell_editors_meaning_default_and_choices(self):
        properties = self.validators["experiment"].schema["properties"]
        self.assertEqual(properties["ranks"]["default"], 8)
        self.assertIn("participants", properties["ranks"]["description"])
        self.assertIn("packet: one event per packet", properties["fidelity"]["description"])


class Described(unittest.TestCase):
    def describe(self, *words):
        return json.loads(subprocess.run([str(PROGRAM), "describe", *words, "--json"], check=True, capture_output=True, text=True).stdout)

    def test_as_json_a_parameter_has_type_default_range_and_meaning(self):
        rows = {row["key"]: row for row in self.describe("link")["parameters"]}
        self.assertEqual((rows["bandwidth"]["type"], rows["bandwidth"]["default"]), ("bandwidth", "400Gbps"))
        self.assertEqual({"min", "max", "meaning"} - rows["bandwidth"].keys(), set())

    def test_as_json_a_kind_is_named_alone_if_asked_for(self):
        self.assertGreater(len(self.describe("codec")["kinds"]), 5)
        self.assertEqual([kind["name"] for kind in self.describe("codec", "asc")["kinds"]], ["asc"])

    def test_as_json_all_families_are_those_of_the_list(self):
        listed = subprocess.run([str(PROGRAM), "describe"], check=True, capture_output=True, text=True).stdout
        self.assertEqual([family["family"] for family in self.describe()], re.findall(r"^  (\w+) ", listed, re.MULTILINE))

    def test_as_json_the_report_has_its_units(self):
        parts = {part["path"]: part for part in self.describe("report")["parts"]}
        self.assertIn({"key": "allreduce_ps", "unit": "ps"}.items(),
                      [{k: f[k] for k in ("key", "unit")}.items() for f in parts["methods[]"]["fields"]])


if __name__ == "__main__":
    unittest.main()
