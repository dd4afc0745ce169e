"""The JSON schemas of the program take every shipped configuration and every golden report, and refuse wrong ones."""

import contextlib
import copy
import dataclasses
import importlib.util
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import jsonschema
import yaml

from tests.scripts.loading import script

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = Path(os.environ.get("OSCAR_BUILD", ROOT / "build/release")) / "oscar-sim"
CLOCK = (
    "threads",
    "wall_s",
    "cpu_s",
    "peak_rss_bytes",
    "events_per_wall_s",
    "flit_hops_per_cpu_s",
)  # which goldens leave out


class Loader(yaml.SafeLoader):
    """YAML 1.2, as editors and the program read it: `on` is a text and 1e3 a number."""


Loader.yaml_implicit_resolvers = {}
for tag, pattern, first in (
    ("bool", "true|false", "tf"),
    ("null", "null|~|", "n~"),
    ("int", "[-+]?[0-9]+", "-+0123456789"),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+.0123456789"),
):
    Loader.add_implicit_resolver(
        f"tag:yaml.org,2002:{tag}", re.compile(f"^(?:{pattern})$"), list(first) + ([""] if tag == "null" else [])
    )


def read(text):
    return yaml.load(text, Loader)


def schema(name):
    done = subprocess.run([str(PROGRAM), "describe", name, "--schema"], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def kind_of(config):
    """The schema that the configuration is for."""
    for key, name in (("axes", "sweep"), ("traffic", "traffic"), ("predictor", "prediction"), ("workload", "training")):
        if key in config:
            return name
    return "experiment"


def shipped():
    """All configurations that a schema describes as a whole."""
    folders = ("experiments", "parts", "sweeps", "traffic", "training", "validation")
    return [file for folder in folders for file in sorted((ROOT / "configs" / folder).glob("*.yaml"))]


# What reads a file of each schema: a command of the program, or scripts/train.
COMMANDS = {"experiment": "run", "sweep": "sweep", "traffic": "traffic", "prediction": "predict", "training": None}


def status_of(name, *arguments):
    """The exit status of what reads files of that schema. Trainings are read in this process,
    which loads PyTorch once."""
    if command := COMMANDS[name]:
        return subprocess.run([str(PROGRAM), command, *arguments], capture_output=True, check=False).returncode
    train = script("train")
    with contextlib.redirect_stderr(io.StringIO()):
        return train.command.run(lambda: train.main(list(arguments)))


CAN_TRAIN = (
    importlib.util.find_spec("torch")
    and importlib.util.find_spec("tqdm")
    and list(PROGRAM.parent.glob("python/oscar_sim/_core*.so"))
)


class Schemas(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.validators = {name: jsonschema.Draft7Validator(schema(name)) for name in (*COMMANDS, "report")}

    def errors(self, name, document):
        return [
            f"{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}"
            for error in self.validators[name].iter_errors(document)
        ]

    def test_are_sound(self):
        for name, validator in self.validators.items():
            with self.subTest(schema=name):
                jsonschema.Draft7Validator.check_schema(validator.schema)

    def test_take_every_shipped_configuration(self):
        files = shipped()
        self.assertGreater(len(files), 60)
        seen = set()
        for file in files:
            with self.subTest(file=file.name):
                config = read(file.read_text(encoding="utf-8"))
                seen.add(kind_of(config))
                self.assertEqual(self.errors(kind_of(config), config), [])
        self.assertEqual(seen, set(COMMANDS))

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
        for change in (
            lambda r: r["methods"][0].pop("allreduce_ps"),
            lambda r: r["methods"][0].update(speed=1),
            lambda r: r["trace"].update(elements="many"),
            lambda r: r.update(schema=2),
        ):
            changed = copy.deepcopy(report)
            change(changed)
            self.assertNotEqual(self.errors("report", changed), [])

    WRONG = {
        "experiment": (
            "rankz: 8",
            "ranks: 1",
            "ranks: eight",
            "quantiser: {kind: maximum}",
            "quantiser: {kind: max, percentile: 9}",
            "network: {link: {bandwidth: 400}}",
            "network: {link: {bandwidth: 400Gb}}",
            "methods: asc",
            "methods: [{kind: asc, chunk: equal}]",
            "fidelity: flits",
            "base: {trace: t}",
            "base: [{a: b}]",
            "delta_gather: 1",
            "seed: -1.5",
        ),
        "sweep": (
            "axes: [{key: ranks, values: []}]",
            "axes: [{key: ranks}]",
            "axes: [{zip: [{key: ranks, values: [2]}]}]",
            "axes: []",
        ),
        "traffic": ("topology: {kind: star}", "router: {vcs: many}"),
        "prediction": ("predictor: nccl", "sizes: [1]"),
        "training": (
            "rankz: 8",
            "ranks: 1",
            "epoch: 0",
            "seeds: 1",
            "methods: dense",
            "methods: [{name: a, factor: 10}]",
            "methods: [{kind: top_k, factr: 10}]",
            "methods: [{kind: top_k, codec: acs}]",
            "machine: {rankz: 8}",
            "machine: {network: {link: {bandwidth: 400}}}",
            "machine: {step: {forward: 800}}",
            "gpu: a.yaml",
        ),
    }
    BEFORE = {
        "experiment": "",
        "sweep": "base: {payload: synthetic, size: 1MiB, methods: [fp32]}\n",
        "traffic": "traffic: {loads: [0.1]}\n",
        "prediction": "",
    }
    NEEDED = {
        "workload": "lenet-fmnist",
        "machine": "{network: {topology: star}}",
        "methods": "[dense]",
    }  # by a training

    def before(self, name, text):
        """What a file of that schema must hold beside `text`."""
        if name != "training":
            return self.BEFORE[name]
        return "".join(f"{key}: {value}\n" for key, value in self.NEEDED.items() if not text.startswith(key))

    def test_refuse_what_the_program_refuses(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, texts in self.WRONG.items():
                for text in texts:
                    with self.subTest(schema=name, text=text):
                        whole = self.before(name, text) + text + "\n"
                        self.assertNotEqual(self.errors(name, read(whole)), [])
                        if name == "training" and not CAN_TRAIN:
                            continue
                        file = Path(folder) / "wrong.yaml"
                        file.write_text(whole, encoding="utf-8")
                        self.assertEqual(status_of(name, str(file), "-o", folder + "/out"), 2)

    def test_take_a_training_that_says_what_it_must(self):
        self.assertEqual(self.errors("training", read(self.before("training", ""))), [])

    def test_take_the_shipped_methods_of_trainings(self):
        methods = jsonschema.Draft7Validator(self.validators["training"].schema["properties"]["methods"])
        files = list((ROOT / "configs/training/methods").glob("*.yaml"))
        self.assertGreater(len(files), 0)
        for file in files:
            found = [error.message[:200] for error in methods.iter_errors(read(file.read_text(encoding="utf-8")))]
            self.assertEqual(found, [], file.name)

    def test_of_a_training_has_the_keys_that_scripts_train_knows(self):
        sys.path.insert(0, str(ROOT / "python"))
        from oscar_training import settings

        known = {field.name for field in dataclasses.fields(settings.Settings)}
        self.assertEqual(set(self.validators["training"].schema["properties"]), known)

    def test_tell_editors_meaning_default_and_choices(self):
        properties = self.validators["experiment"].schema["properties"]
        self.assertEqual(properties["ranks"]["default"], 8)
        self.assertIn("participants", properties["ranks"]["description"])
        self.assertIn("packet: one event per packet", properties["fidelity"]["description"])


NPM = ROOT / "build/npm"
PROGRAMS = [NPM / "node_modules/.bin" / name for name in ("ajv", "yaml-language-server")]


@unittest.skipUnless(
    shutil.which("node") and all(program.exists() for program in PROGRAMS),
    f"no node, or no packages of npm; npm install --prefix {NPM} $(cat scripts/npm-modules.txt)",
)
class InEditors(unittest.TestCase):
    """The same files as other programs see them: a checker of schemas, and the language server of editors."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        for name in (*COMMANDS, "report"):
            (cls.folder / f"{name}.schema.json").write_text(json.dumps(schema(name)), encoding="utf-8")

    def ajv(self, name, documents):
        """The exit status and the output of ajv for these documents."""
        files = []
        for i, document in enumerate(documents):
            files.append(self.folder / f"{name}-{i}.json")
            files[-1].write_text(json.dumps(document), encoding="utf-8")
        data = [word for file in files for word in ("-d", str(file))]
        done = subprocess.run(
            [str(PROGRAMS[0]), "validate", "--strict=false", "-s", str(self.folder / f"{name}.schema.json"), *data],
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr

    def test_ajv_takes_every_shipped_configuration_and_no_wrong_one(self):
        of_schema = {}
        for file in shipped():
            config = read(file.read_text(encoding="utf-8"))
            of_schema.setdefault(kind_of(config), []).append(config)
        self.assertEqual(of_schema.keys(), COMMANDS.keys())
        for name, configs in of_schema.items():
            with self.subTest(schema=name):
                status, output = self.ajv(name, configs)
                self.assertEqual(status, 0, output)
                self.assertEqual(self.ajv(name, [{**configs[0], "rankz": 8}])[0], 1)

    def diagnostics(self, text):
        """What yaml-language-server says of a file in an editor."""
        server = LanguageServer(PROGRAMS[1])
        self.addCleanup(server.close)
        return server.diagnostics((self.folder / "open.yaml").as_uri(), text)

    def test_the_language_server_reads_the_schema_that_the_first_line_names(self):
        first = f"# yaml-language-server: $schema={self.folder}/experiment.schema.json\n"
        demo = (ROOT / "configs/experiments/demo.yaml").read_text(encoding="utf-8")
        self.assertEqual(self.diagnostics(first + demo), [])
        wrong = self.diagnostics(first + "trace: t\nrankz: 8\nfidelity: flits\n")
        self.assertEqual(sorted(each["range"]["start"]["line"] for each in wrong), [2, 3])
        self.assertIn("rankz", " ".join(each["message"] for each in wrong))
        wrong = self.diagnostics(first.replace("experiment", "training") + "methods: [{kind: top_k, factr: 10}]\n")
        self.assertIn("factr", " ".join(each["message"] for each in wrong))


class LanguageServer:
    """A language server on its standard streams, as an editor starts it (Language Server Protocol 3.17)."""

    def __init__(self, program):
        self._process = subprocess.Popen(
            [str(program), "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._send(
            {"id": 1, "method": "initialize", "params": {"processId": os.getpid(), "rootUri": None, "capabilities": {}}}
        )
        self._read_until(lambda message: message.get("id") == 1)
        self._send({"method": "initialized", "params": {}})

    def diagnostics(self, uri, text):
        """Of a file that is opened with that text."""
        self._send(
            {
                "method": "textDocument/didOpen",
                "params": {"textDocument": {"uri": uri, "languageId": "yaml", "version": 1, "text": text}},
            }
        )
        told = self._read_until(
            lambda message: message.get("method") == "textDocument/publishDiagnostics"
            and message["params"]["uri"] == uri
        )
        return told["params"]["diagnostics"]

    def close(self):
        self._process.kill()
        self._process.communicate()

    def _send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self._process.stdin.flush()

    def _read_until(self, wanted):
        while True:
            length = 0
            while line := self._process.stdout.readline().strip():
                name, value = line.split(b":")
                length = int(value) if name.lower() == b"content-length" else length
            if not length:
                raise EOFError("the language server has ended")
            message = json.loads(self._process.stdout.read(length))
            if "id" in message and "method" in message:  # a question of its own, such as for settings
                count = len(message["params"].get("items", [])) if isinstance(message.get("params"), dict) else 0
                self._send({"id": message["id"], "result": [None] * count})
            if wanted(message):
                return message


class Described(unittest.TestCase):
    def describe(self, *words):
        return json.loads(
            subprocess.run(
                [str(PROGRAM), "describe", *words, "--json"], check=True, capture_output=True, text=True
            ).stdout
        )

    def test_as_json_a_parameter_has_type_default_range_and_meaning(self):
        rows = {row["key"]: row for row in self.describe("link")["parameters"]}
        self.assertEqual((rows["bandwidth"]["type"], rows["bandwidth"]["default"]), ("bandwidth", "400Gbps"))
        self.assertEqual({"min", "max", "meaning"} - rows["bandwidth"].keys(), set())

    def test_a_rank_has_of_the_engine_what_may_differ_between_ranks(self):
        # per_rank in models/engine/engine_params.hpp; the check of nodes refuses changes of all others
        changes = [
            *("clock", "encode_interval", "decode_interval", "encode_loop", "decode_loop", "finish_slots"),
            *("encode_latency", "decode_latency", "search", "table_update", "table_load"),
        ]
        experiment = {row["key"]: row for row in self.describe("experiment")["parameters"]}
        node = {row["key"]: row for row in experiment["nodes"]["entries"]["parameters"]}
        self.assertEqual([row["key"] for row in node["engine"]["parameters"]], changes)
        self.assertLessEqual({"lanes", "technology"}, {row["key"] for row in experiment["engine"]["parameters"]})
        text = subprocess.run([str(PROGRAM), "describe", "experiment"], check=True, capture_output=True, text=True)
        self.assertEqual(re.findall(r"^nodes\[\]\.engine\.(\S+)", text.stdout, re.MULTILINE), changes)
        whole = schema("experiment")["properties"]["nodes"]["items"]["properties"]["engine"]["properties"]
        self.assertIn("lanes", whole)  # which a resolved configuration repeats

    def test_as_json_a_kind_is_named_alone_if_asked_for(self):
        self.assertGreater(len(self.describe("codec")["kinds"]), 5)
        self.assertEqual([kind["name"] for kind in self.describe("codec", "asc")["kinds"]], ["asc"])

    def test_as_json_all_families_are_those_of_the_list(self):
        listed = subprocess.run([str(PROGRAM), "describe"], check=True, capture_output=True, text=True).stdout
        self.assertEqual(
            [family["family"] for family in self.describe()], re.findall(r"^  (\w+) ", listed, re.MULTILINE)
        )

    def test_as_json_the_report_has_its_units(self):
        parts = {part["path"]: part for part in self.describe("report")["parts"]}
        self.assertIn(
            {"key": "allreduce_ps", "unit": "ps"}.items(),
            [{k: f[k] for k in ("key", "unit")}.items() for f in parts["methods[]"]["fields"]],
        )


if __name__ == "__main__":
    unittest.main()
