"""The CSV files of a page of records: quality with its spread, time to the dense target, bytes, rivals."""

import collections
import math
import statistics

from oscar_summary import records as csv
from oscar_workloads.workloads import WORKLOADS

from . import AFTER_ALL_STEPS, record_file
from .comparisons import WINDOW, Measures, between, deviation, final, is_rising, median_end

DENSE = "dense"
STATIC = ("top_k", "random_k", "dgc", "dgc_lite", "redsync", "redsync_trimmed", "sidco", "power_sgd")
# Trainings of all methods, by what their columns begin with.
SHOWN = {"lenet": "lenet-fmnist", "lstm": "lstm-kjv", "gpt": "gpt-kjv"}
OF_SHOWN = ("x_equal", "x_mib", "gpu_ms")
COLUMNS = {  # of each file; a row leaves out what there is not
    "trainings": "training workload metric target chance records curves",
    "methods": "training method seeds quality deviation to_dense to_target x_dense x_equal "
    "steps seconds x_seconds mib x_mib x_floats gpu_ms",
    "overview": " ".join(["method", *(f"{short}_{column}" for short in SHOWN for column in OF_SHOWN)]),
    "ended": "training method seed ended",
    "static": "training reach first seconds step_ms quickest quickest_ms bound",
    "gravac": "training method to_target first x_first alike x_alike factors gains",
    "sketches": "training method mib quality at_equal_bytes better_by",
    "rivals": "training method rival seconds of_rival x",
}


def write(folder, left_out=frozenset()):
    """NAME.csv for each of COLUMNS, of the records <training>/<method>-seed<n>.json in `folder` but `left_out`."""
    rows = collections.defaultdict(list)
    for training in sorted(path for path in folder.iterdir() if path.is_dir()):
        records = [record_file.read(path) for path in recorded(training, left_out)]
        curves = training.with_suffix(".png").name if training.with_suffix(".png").exists() else None
        for name, row in of_training(records) if records else ():
            rows[name].append({"training": training.name, "curves": curves, **row})
    rows["overview"] = list(_overview(rows["methods"]))
    for name, columns in COLUMNS.items():
        of_file = [dict.fromkeys(columns.split()) | row for row in rows[name]]
        csv.write(folder / f"{name}.csv", "of records of trainings", of_file, columns.split())


def recorded(training, left_out):
    """Paths of the records of a training's folder, sorted."""
    return [path for path in sorted(training.glob("*.json")) if path not in left_out]


def by_method(records):
    """{method: its records}, dense first."""
    methods = {}
    for record in sorted(records, key=lambda record: (record["method"] != DENSE, record["method"])):
        methods.setdefault(record["method"], []).append(record)
    return methods


def of_training(records):
    """Yields (one of COLUMNS, its row) of the records of one configuration."""
    methods, first = by_method(records), records[0]
    measures = Measures(is_rising(first), WORKLOADS[first["workload"]].source.chance)
    dense = methods.get(DENSE)
    target = measures.reached(dense) if dense else None
    yield "trainings", {
        **{key: first[key] for key in ("workload", "metric")},
        "target": target,
        "chance": WORKLOADS[first["workload"]].source.chance,
        "records": len(records),
    }
    for record in records:
        if record["ended"] != AFTER_ALL_STEPS:
            yield "ended", record
    for method, runs in methods.items():
        yield "methods", {"method": method, **_method(runs, dense, target, measures)}
    finished = {name: ran for name, runs in methods.items() if (ran := [run for run in runs if run["rows"]])}
    yield from _gravac(finished, target, measures)
    yield from _rivals(finished, measures)


def _method(runs, dense, target, measures):
    """Quality, time and bytes of a method. Whole trainings alone have time and bytes; one that ended early has none."""
    finished = [run for run in runs if run["rows"]]
    if not finished:
        return {"seeds": len(runs), "steps": 0}
    row = {
        "seeds": len(runs),
        "quality": statistics.fmean(final(runs)),
        "deviation": round(deviation(final(runs)), 4) if len(finished) > 1 else None,  # as shown: not rounded twice
        "steps": max(run["rows"][-1]["step"] for run in finished),
    }
    if dense:
        own = measures.time_to(runs, target)
        row["to_dense"] = measures.better_by(row["quality"], statistics.fmean(final(dense)))
        row["to_target"] = in_words(finished, own)
        row["x_dense"] = over(measures.time_to(dense, target), own)
        row["x_equal"] = over(*measures.times_at_equal_quality(dense, finished))
    whole, of_dense = ([run for run in some or [] if run["ended"] == AFTER_ALL_STEPS] for some in (runs, dense))
    if whole:
        row |= {"seconds": median_end(whole, "seconds"), "mib": median_end(whole, "payload_bytes") / 2**20}
        row["gpu_ms"] = statistics.median(1e3 * run["rows"][-1]["kernels"] / run["rows"][-1]["step"] for run in whole)
    for name, key in (("x_seconds", "seconds"), ("x_mib", "payload_bytes"), ("x_floats", "floats")):
        if whole and of_dense:
            row[name] = over(median_end(of_dense, key), median_end(whole, key))
    return row


def in_words(runs, seconds):
    """Seconds, or why there are none: the target was never reached, or no training has evaluations enough to tell."""
    if seconds is not None:
        return f"{seconds:.2f} s"
    return "never" if any(len(run["rows"]) >= WINDOW for run in runs) else "too few evaluations"


def _overview(methods):
    """A row for each method, with its columns of each training that is SHOWN; by x_equal of the first of these."""
    of_method = collections.defaultdict(dict)
    for short, training in SHOWN.items():
        for row in methods:
            if row["training"] == training:
                of_method[row["method"]] |= {f"{short}_{column}": row.get(column) for column in OF_SHOWN}
    first = f"{next(iter(SHOWN))}_x_equal"
    for name, row in sorted(of_method.items(), key=lambda item: -(item[1].get(first) or 0)):
        yield {"method": name, **row}


def over(theirs, own):
    """How often `own` goes into `theirs`."""
    return theirs / own if own and theirs else None


def of_kinds(methods, *kinds):
    return {name: runs for name, runs in methods.items() if runs[0]["kind"] in kinds}


def compressor(runs):
    """What a controller steers."""
    return runs[0]["parameters"].get("compressor")


def seconds_per_step(runs):
    return statistics.median(run["rows"][-1]["seconds"] / run["rows"][-1]["step"] for run in runs)


def _gravac(methods, target, measures):
    """How much sooner GraVAC is at the target than static factors; nothing without it."""
    controllers, statics = of_kinds(methods, "gravac"), of_kinds(methods, *STATIC)
    if not controllers or not statics or target is None:
        return
    times = {name: measures.time_to(runs, target) for name, runs in statics.items()}
    reach = {name: time for name, time in times.items() if time is not None}
    first = min(reach, key=reach.get, default=None)
    steps = {name: 1e3 * seconds_per_step(runs) for name, runs in statics.items()}
    quickest = min(steps, key=steps.get)
    yield "static", {
        "reach": ", ".join(reach),
        "first": first,
        "seconds": reach.get(first),
        "step_ms": first and steps[first],
        "quickest": quickest,
        "quickest_ms": steps[quickest],
        "bound": first and steps[first] / steps[quickest],
    }
    for name, runs in controllers.items():
        own = measures.time_to(runs, target)
        kin = [other for other in reach if statics[other][0]["kind"] == compressor(runs)]
        alike = min(kin, key=reach.get, default=None)
        yield "gravac", {
            "method": name,
            "to_target": in_words(runs, own),
            "first": first,
            "x_first": over(reach.get(first), own),
            "alike": alike,
            "x_alike": over(reach.get(alike), own),
            **_history(runs),
        }


def _history(runs):
    """Over all runs the shares of steps by factor, and of each that was tried the mean of what it would have kept."""
    counts, gains = collections.Counter(), collections.defaultdict(list)
    for run in runs:
        counts.update({float(factor): count for factor, count in run["factors"].items()})
        for factor, gain in run.get("gains", {}).items():
            gains[float(factor)].append(gain)
    shares = {factor: 100 * count / counts.total() for factor, count in sorted(counts.items())}
    return {
        "factors": ", ".join(f"{factor:g}x in {share:.0f} %" for factor, share in shares.items()),
        "gains": ", ".join(f"{factor:g}x {statistics.fmean(gain):.2f}" for factor, gain in sorted(gains.items())),
    }


def _rivals(methods, measures):
    """Pairs at equal quality: GraVAC and static factors of its compressor and Top-k of 10x (table 2 of its paper),
    Accordion and GraVAC, OSCAR-SW and the Count Sketch nearest by bytes, LHC and Sketched-SGD. At equal bytes
    OSCAR-SW's quality and Count Sketch's."""
    sketches = {
        name: runs
        for name, runs in of_kinds(methods, "count_sketch").items()
        if any(run["ended"] == AFTER_ALL_STEPS for run in runs)
    }
    known = sorted(
        (median_end(runs, "payload_bytes"), statistics.fmean(final(runs)), n) for n, runs in sketches.items()
    )
    gravac = of_kinds(methods, "gravac")
    top_k_10 = {
        name: runs for name, runs in of_kinds(methods, "top_k").items() if runs[0]["parameters"] == {"factor": 10}
    }
    rivals = {name: top_k_10 | of_kinds(methods, compressor(runs)) for name, runs in gravac.items()}
    for name, runs in of_kinds(methods, "accordion").items():
        rivals[name] = {other: kin for other, kin in gravac.items() if compressor(kin) == compressor(runs)} or gravac
    for name, runs in of_kinds(methods, "oscar_sw").items():
        rivals[name] = of_kinds(methods, "lhc", "sketched_sgd")
        if known:
            payload, quality = median_end(runs, "payload_bytes"), statistics.fmean(final(runs))
            expected = between(known, payload)
            better = None if expected is None else measures.better_by(quality, expected)
            row = {"mib": payload / 2**20, "quality": quality, "at_equal_bytes": expected, "better_by": better}
            yield "sketches", {"method": name, **row}
            nearest = min(known, key=lambda point: abs(math.log(point[0] / payload)))[2]
            rivals[name] = {nearest: sketches[nearest], **rivals[name]}
    for name, others in rivals.items():
        for rival, runs in others.items():
            theirs, own = measures.times_at_equal_quality(runs, methods[name])
            row = {"seconds": own, "of_rival": theirs, "x": over(theirs, own)}
            yield "rivals", {"method": name, "rival": rival, **row}
