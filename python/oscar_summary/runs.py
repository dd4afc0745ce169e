"""Sweeps that scripts run, on shipped traces and on generated ones of sizes that no shipped trace has."""

import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

from . import records

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / os.environ.get("OSCAR_BUILD", "build/release") / "oscar-sim"
LIKE = "traces/gpt-kjv"  # what generated traces are fitted to


def run(program, *arguments):
    """Runs oscar-sim in the root; ends with its exit status if that is not 0."""
    status = subprocess.run([program, *map(str, arguments)], cwd=ROOT).returncode
    if status != 0:
        sys.exit(status)


def version(program=PROGRAM):
    text = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    return text.splitlines()[0].removeprefix("oscar-sim ")


def timed(config, *settings):
    """(report, processor seconds of the whole process) of a run of `config` with these settings, `key=value`."""
    with tempfile.TemporaryDirectory() as folder:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        overrides = [word for setting in settings for word in ("--set", setting)]
        subprocess.run([PROGRAM, "run", config, *overrides, "-o", folder], check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        report = json.loads((Path(folder) / "report.json").read_text(encoding="utf-8"))
    return report, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def sweep(program, file, jobs, folder):
    """Runs the points of a sweep that are missing; returns its database. Ends if a point fails:
    tables need them all."""
    run(program, "sweep", file, "-j", jobs, "-o", folder)
    return folder / "points.sqlite"


def generated(program, folder, elements):
    """A trace of about so many values a rank, two iterations, as fp16; made in `folder` where it is missing."""
    trace = folder / f"generated-{elements}"
    if not trace.exists():
        run(
            program,
            "trace",
            "generate",
            trace,
            "--like",
            LIKE,
            "--elements",
            elements,
            "--iterations",
            2,
            "--dtype",
            "f2",
        )
    return trace


def on_traces(file, traces, copy, **axes):
    """Writes to `copy` a sweep like that of `file`, over the last of two iterations of these traces, with other values
    of some axes (`__` in a name stands for a dot)."""
    definition = yaml.safe_load(file.read_text(encoding="utf-8"))
    definition["base"] = str(ROOT / definition["base"])
    definition["set"]["iterations"] = {"first": 1, "count": 1}
    values = {"trace": list(map(str, traces)), **{key.replace("__", "."): new for key, new in axes.items()}}
    for axis in definition["axes"]:
        if axis.get("key") in values:
            axis["values"] = values[axis["key"]]
    copy.write_text(yaml.safe_dump(definition, sort_keys=False), encoding="utf-8")


def experiment(program, config, folder, settings):
    """The report of a run in `folder`; one that is there already is not run again. `settings()`:
    what it changes in `config`."""
    if not (folder / "report.json").exists():
        run(
            program,
            "run",
            config,
            *(part for key, value in settings().items() for part in ("--set", f"{key}={value}")),
            "-o",
            folder,
        )
    return json.loads((folder / "report.json").read_text(encoding="utf-8"))


def lacking(points, rows):
    """The points, which have `keys`, that have no rows."""
    return [point for point in points if not any(is_of(row, point) for row in rows)]


def is_of(row, point):
    return all(row[key] == value for key, value in point.keys.items())


def complete(points, version, file, columns, captures, scratch, rows_of):
    """Runs the points that `file`, a CSV, lacks of the program `version` and whose capture is in `captures`, and writes
    each to it at once, in place of what another program made of it. `rows_of(point, scratch)` runs one.
    Each row says in `program` what made it.
    """
    rows = records.read(file)[1] if file.exists() else []
    scratch = scratch / version
    scratch.mkdir(parents=True, exist_ok=True)
    for point in lacking(points, [row for row in rows if row["program"] == version]):
        if (captures / point.trace / "trace.yaml").exists():
            rows = [row for row in rows if not is_of(row, point)] + [
                row | {"program": version} for row in rows_of(point, scratch)
            ]
            records.write(file, programs(rows), rows, columns)


def programs(rows):
    """Which programs made the rows, in words."""
    return ", ".join(dict.fromkeys(row["program"] for row in rows))
