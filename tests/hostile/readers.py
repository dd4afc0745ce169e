"""The readers of files: for each kind of file its seeds, how a variant is made, and what reads it.

A seed is what the program or a test writes. `read` gives the command lines of oscar-sim on a variant, or a
function of Python that reads it in this process.
"""

import contextlib
import functools
import gzip
import importlib.machinery
import importlib.util
import io
import itertools
import json
import shutil
import sqlite3
import struct
import subprocess
import sys
import traceback
from dataclasses import dataclass
from pathlib import Path

import yaml

import mutations

ROOT = Path(__file__).resolve().parents[2]
for place in ("", "python", "tests/scripts/commands", "tests/scripts/studies"):
    sys.path.insert(0, str(ROOT / place))

EXPERIMENT = f"""
experiment: seed
trace: {ROOT}/traces/lenet-fmnist
iterations: {{first: 0, count: 1}}
ranks: 2
payload: size_only
methods: [fp32, {{kind: asc, name: mine}}, {{kind: fixed_point}}]
collective: {{kind: ring, slices: 2}}
network: {{topology: {{kind: star}}, link: {{bandwidth: 400Gbps, propagation: 500ns}}, packet: 4KiB}}
engine: {{kind: pipelined, lanes: 64, clock: 1GHz}}
seed: 1
"""
SYNTHETIC = """
experiment: seed
synthetic: true
payload: synthetic
size: 64KiB
ranks: 4
methods: [fp32]
network: {topology: {kind: fat_tree, hosts: 2}, link: {bandwidth: 100Gbps}}
"""
SWEEP = """
base: seed.yaml
axes:
  - {key: ranks, values: [2, 4]}
  - {key: network.link.bandwidth, values: [100Gbps, 400Gbps]}
"""
SCHEDULED = f"""
trace: {ROOT}/traces/lenet-fmnist
iterations: {{{{count: 1}}}}
ranks: 2
payload: size_only
methods: [fp32]
collective: {{{{kind: schedule, file: {{}}}}}}
"""
RECORD = {
    "method": "dense",
    "seed": 1,
    "metric": "test accuracy",
    "ended": "after all steps",
    "identity": "x",
    "rows": [{"step": 10 * i, "seconds": float(i), "payload_bytes": 1e6, "quality": 0.1 * i} for i in range(1, 6)],
}


LIVE = """
ranks: 2
methods: [asc]
network: {topology: star}
"""
PREDICTION = """
ranks: 8
predictor: {kind: log_gop}
collective: ring
sizes: [1KiB, 1MiB]
"""


@dataclass(frozen=True)
class Kind:
    """A kind of file. `make(random, folder)` writes a variant into `folder` and gives its text, for judge.problem;
    `commands`: what oscar-sim is called with there; `call`: what Python calls with the folder; `input`: the file that
    oscar-sim has as standard input."""

    make: object
    commands: tuple = ()
    call: object = None
    input: object = None


@functools.cache
def script(name):
    """A script without an extension, as a module."""
    loader = importlib.machinery.SourceFileLoader(name, str(ROOT / "scripts" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


def called(main, words):
    """(status, output, errors) of a script's main with these words after its name, in this process."""
    from oscar_summary import command

    output, errors, before = io.StringIO(), io.StringIO(), sys.argv
    sys.argv = [main.__module__, *map(str, words)]
    try:
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            status = command.run(main) or 0
    except SystemExit as ended:
        status = ended.code
    except Exception:  # pylint: disable=broad-except
        status = 1
        errors.write(traceback.format_exc())
    finally:
        sys.argv = before
    return status, output.getvalue(), errors.getvalue()


def checked(read, refusals):
    """The same of a function that refuses with exceptions of these types."""
    try:
        read()
    except refusals as error:
        return 2, "", f"{error}\n"
    except Exception:  # pylint: disable=broad-except
        return 1, "", traceback.format_exc()
    return 0, "", ""


def variant(random, seed, structured=None):
    """Bytes of a variant of `seed`: of its bytes, its words, or, by `structured(random)`, its values."""
    if structured and random.random() < 0.5:
        return structured(random).encode("utf-8", "surrogatepass")
    data = seed
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        if random.random() < 0.5:
            data = random.choice(mutations.BYTES)(random, data)
        else:
            text = random.choice(mutations.WORDWISE)(random, data.decode("utf-8", "surrogateescape"))
            data = text.encode("utf-8", "surrogateescape")
    return data[: mutations.MOST]


def of_files(seeds, name, structured=None):
    """make() of a kind whose variants are one file each."""

    def make(random, folder):
        seed = random.choice(seeds)
        data = variant(random, seed, structured and (lambda chance: structured(chance, seed)))
        (folder / name).write_bytes(data)
        return data.decode("utf-8", "replace")

    return make


def restructured_json(random, seed):
    return mutations.reset(random, json.loads(seed))


def restructured_yaml(random, seed):
    while True:
        try:
            return yaml.safe_dump(mutations.restructure(random, yaml.safe_load(seed)), allow_unicode=True)
        except RecursionError:  # deeper than PyYAML writes
            continue


class Seeds:
    """What the program and the tests write, made once in a folder."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        folder.mkdir(parents=True)
        (folder / "seed.yaml").write_text(EXPERIMENT)
        (folder / "sweep.yaml").write_text(SWEEP)
        (folder / "live.yaml").write_text(LIVE)
        self._run("run", "seed.yaml", "-q", "-o", "run")
        self._run("sweep", "sweep.yaml", "-j", "2", "-o", "sweep")
        self._run("trace", "generate", "trace", *"--ranks 2 --elements 64 --iterations 2".split())

    def _run(self, *words, check=True):
        done = subprocess.run([self.program, *words], cwd=self.folder, capture_output=True, text=True, check=False)
        if check and done.returncode != 0:
            raise RuntimeError(f"{' '.join(words)}: {done.stderr}")

    def reports(self):
        golden = ("jobs", "incast", "peers", "step", "collectives")
        return [
            p.read_bytes()
            for p in [self.folder / "run/report.json", *(ROOT / f"tests/golden/{n}.json" for n in golden)]
        ]


def tests_of(name):
    return [path.read_bytes() for path in sorted((ROOT / "tests" / name).iterdir())]


def database(random, folder, seed):
    """A variant of a sweep's database, of its bytes or by SQL."""
    place = folder / "points.sqlite"
    for old in folder.glob("points.sqlite*"):
        old.unlink()
    if random.random() < 0.4:
        place.write_bytes(variant(random, seed))
    else:
        place.write_bytes(seed)
        with contextlib.suppress(sqlite3.Error):
            mutations.alter(random, place)
    return ""


def array_of_trace(random, folder, seeds):
    """A trace of which an array, or the text beside it, is hostile."""
    shutil.rmtree(folder / "trace", ignore_errors=True)
    shutil.copytree(seeds.folder / "trace", folder / "trace")
    target = random.choice(sorted((folder / "trace").iterdir()))
    seed = target.read_bytes()
    is_text = target.suffix == ".yaml"
    data = variant(random, seed, (lambda chance: restructured_yaml(chance, seed)) if is_text else None)
    target.write_bytes(data)
    return data.decode("utf-8", "replace") if is_text else ""


def recorded_steps():
    """A profile of PyTorch, and execution traces of Chakra in both forms."""
    import test_import_step as known

    profile = json.dumps({"traceEvents": known.events()}).encode()
    return [profile], [known.protobuf(known.NODES), known.as_json(known.NODES).encode()]


def imported(folder):
    return called(script("import_step").main, [folder / "trace.json"])


def compressed(make):
    """Also as gzip, whole and damaged."""

    def made(random, folder):
        text = make(random, folder)
        file = folder / "trace.json"
        if random.random() < 0.2:
            data = gzip.compress(file.read_bytes(), mtime=0)
            file.write_bytes(random.choice(mutations.BYTES)(random, data) if random.random() < 0.7 else data)
        return text

    return made


def liberty_text():
    import test_liberty as known

    return (known.HEAD + known.CELLS + getattr(known, "BUFFERS", "") + "}").encode()


def library_read(folder):
    from oscar_summary.command import InputError
    from oscar_synthesis import fan_out, liberty

    def read():
        library = liberty.read(folder / "a.lib")
        library.without_excluded()
        fan_out.buffer_of(library)

    return checked(read, (InputError, OSError))


def space_read(folder):
    from oscar_search.space import Space
    from oscar_summary.command import InputError

    return checked(lambda: Space(folder / "a.yaml"), (InputError, OSError))


def statistics_read(folder):
    return called(script("trace_statistics").main, [folder / "trace", "--sample", "100"])


def record_read(folder):
    from oscar_summary.command import InputError
    from oscar_training import record_file

    return checked(lambda: record_file.read(folder / "dense-seed1.json"), (InputError, OSError))


def live_requests():
    """What a training of two ranks sends: its layers, the gradients of a step, the end of an epoch."""
    gradients = struct.pack("<128f", *(0.01 * (i % 17 - 8) for i in range(128)))
    return b'{"layers": [{"name": "w", "shape": [8, 8]}]}\n{"step": {}}\n' + gradients + b'{"end_epoch": 0.1}\n'


def rows_read(folder):
    from oscar_plot import axes, rows
    from oscar_summary.command import InputError

    return checked(lambda: axes.find(rows.read(folder / "points.sqlite")), InputError)


def table_read(folder):
    from oscar_plot import axes, rows
    from oscar_summary.command import InputError

    return checked(lambda: axes.find(rows.read(folder / "points.csv")), InputError)


def kinds(seeds):
    """{name: Kind}."""
    report = of_files(seeds.reports(), "report.json", restructured_json)
    record = of_files([json.dumps(RECORD).encode()], "dense-seed1.json", restructured_json)
    configuration = of_files(
        [
            EXPERIMENT.encode(),
            SYNTHETIC.encode(),
            *((ROOT / f"configs/experiments/{n}.yaml").read_bytes() for n in ("demo", "collectives")),
        ],
        "a.yaml",
        restructured_yaml,
    )
    points = (seeds.folder / "sweep/points.sqlite").read_bytes()
    other, sweep = str(seeds.folder / "run"), str(seeds.folder / "sweep.yaml")
    page = ("report", ".", "-o", "page.html")
    profiles, executions = recorded_steps()

    def of_database(random, folder):
        return database(random, folder, points)

    def scheduled(inner, name):
        def make(random, folder):
            (folder / "s.yaml").write_text(SCHEDULED.format(name))
            return inner(random, folder)

        return make

    return {
        "report": Kind(
            report, (page, ("compare", "report.json", other, "--all"), ("compare", other, "report.json", "--json"))
        ),
        "database": Kind(of_database, (page, ("sweep", sweep, "-o", ".", "--dry-run"))),
        "record": Kind(record, (page,), call=record_read),
        "config": Kind(configuration, (("run", "a.yaml", "-o", "-"),)),
        "trace": Kind(
            lambda random, folder: array_of_trace(random, folder, seeds),
            (("trace", "verify", "trace"), ("trace", "info", "trace")),
            call=statistics_read,
        ),
        "sweep": Kind(
            of_files(
                [SWEEP.replace("seed.yaml", str(seeds.folder / "seed.yaml")).encode()], "a.yaml", restructured_yaml
            ),
            (("sweep", "a.yaml", "--dry-run"),),
            call=space_read,
        ),
        "prediction": Kind(
            of_files([PREDICTION.encode()], "a.yaml", restructured_yaml), (("predict", "a.yaml", "-o", "-"),)
        ),
        "live": Kind(
            of_files([live_requests()], "requests"), (("live", str(seeds.folder / "live.yaml")),), input="requests"
        ),
        **{
            f"{form}": Kind(
                of_files(tests_of(f"trace/corpus/{form}"), f"a.{form}"),
                (("trace", "convert", f"a.{form}", "converted"),),
            )
            for form in ("npy", "npz", "safetensors")
        },
        "goal": Kind(
            scheduled(of_files(tests_of("schedules/fuzz/corpus/goal"), "a.goal"), "a.goal"),
            (("run", "s.yaml", "-o", "-"),),
        ),
        "msccl": Kind(
            scheduled(of_files(tests_of("schedules/fuzz/corpus/msccl"), "a.xml"), "a.xml"),
            (("run", "s.yaml", "-o", "-"),),
        ),
        "nccl_log": Kind(of_files(tests_of("fit/fuzz/corpus/nccl_log"), "a.log"), (("fit", "a.log", "-o", "-"),)),
        "profile": Kind(compressed(of_files(profiles, "trace.json", restructured_json)), call=imported),
        "chakra": Kind(compressed(of_files(executions, "trace.json")), call=imported),
        "liberty": Kind(of_files([liberty_text()], "a.lib"), call=library_read),
        "rows": Kind(of_database, call=rows_read),
        "table": Kind(
            of_files([(seeds.folder / "sweep" / f"{n}.csv").read_bytes() for n in ("points", "methods")], "points.csv"),
            call=table_read,
        ),
    }


SHARES = {"report": 5, "database": 3, "config": 3, "rows": 0.3, "table": 0.5}  # of all inputs; others have 1


def dealt(names, count):
    """The kind of each of `count` inputs, by SHARES, evenly over them."""
    shares = {name: SHARES.get(name, 1) for name in names}
    due = {name: 0.0 for name in names}
    for _ in itertools.repeat(None, count):
        for name, share in shares.items():
            due[name] += share
        name = max(due, key=due.get)
        due[name] -= sum(shares.values())
        yield name
