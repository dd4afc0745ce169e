"""The tables of a folder of records: quality with its spread, time to the dense target, bytes."""

import collections
import json
import statistics

from oscar_summary import table
from oscar_workloads.workloads import WORKLOADS

from . import AFTER_ALL_STEPS, comparisons, notes
from .comparisons import WINDOW

DENSE = "dense"
QUALITY = ("method", "seeds", "quality", "to dense", "time to target, s", "x dense", "x dense at equal quality")
WHOLE = ("method", "steps", "whole training, s", "x dense", "MiB", "x fewer", "x fewer floats", "shortcut of the clock")


def text(folder):
    """SUMMARY.md of all records of `folder`: <workload>/<method>-seed<n>.json."""
    parts = [
        """# Training with compressed gradients

Made by `scripts/train`: real training in which every step's gradients pass through the method, on a clock of simulated time: the passes
as configs/training says, compression as counts of operations times the seconds of configs/training/gpu, the collectives simulated, one after
another. What a method sends is computed in the training; the simulated collectives have its sizes and no values: 0 % of them carried its bytes. Only OSCAR-SW's mask, which the next step needs, travels beside the passes.

*Quality* is the mean of the last three evaluations, then mean ± standard deviation over the seeds. *Target* is the quality that dense
training has in the mean of its seeds, less (or for losses more) one standard deviation of them; *time to it* is of the median seed, and the
factor is over dense's. *never*: at most half of the seeds come to it; *too few evaluations*: none has the three that a quality takes. *At equal quality*: dense
training's time to a quality divided by the method's, where that quality is the lower of the two less one standard deviation; it tells what a
method is good for that never comes to the target. It is "-" unless both are better than chance by three standard deviations of their seeds and
by a tenth of the better one's lead. MiB are payload of the busiest rank over the
whole training. *Shortcut of the clock*: some collectives take the simulated time of another of similar size; this is the largest error
found, and *not sampled* where no two were compared.
"""
    ]
    every = []
    for workload in sorted(path for path in folder.iterdir() if path.is_dir()):
        records = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(workload.glob("*.json"))]
        every += records
        if records:
            parts.append(_of_workload(workload.name, records))
            if (folder / f"{workload.name}.png").exists():
                parts.append(f"![{workload.name}]({workload.name}.png)\n")
    return "\n".join([parts[0] + _prices(every) + _age(every), *parts[1:]])


def _prices(records):
    """The price lists that compressing was paid by."""
    lists = collections.Counter(record["gpu"] for record in records if record["kind"] != "oscar_hw")
    return "".join(
        f"""
GPU time of {count} records is at the price list "{name}".
"""
        for name, count in sorted(lists.items())
    )


def _age(records):
    """How many records tell what they were made of."""
    old = sum("made_of" not in record for record in records)
    return (
        f"""
{len(records) - old} of {len(records)} records hold hashes of their sources; `scripts/train --stale` lists those whose sources have changed. For the {old} records
made before hashes were recorded it asks git's history.
"""
        if records
        else ""
    )


def is_rising(record):
    """Whether more of the record's metric is better."""
    return not record["metric"].startswith("nats")


def by_method(records):
    """{method: its records}, dense first."""
    methods = {}
    for record in sorted(records, key=lambda record: (record["method"] != DENSE, record["method"])):
        methods.setdefault(record["method"], []).append(record)
    return methods


def _of_workload(name, records):
    methods = by_method(records)
    rising = is_rising(records[0])
    dense = methods.get(DENSE)
    chance = WORKLOADS[records[0]["workload"]].source.chance
    measures = comparisons.Measures(rising, chance, quality, target_of, time_to)
    target = measures.reached(dense) if dense else None
    lines = [
        f"## {name}: {records[0]['workload']}, {records[0]['metric']}\n",
        table(QUALITY, [_quality(method, runs, dense, measures) for method, runs in methods.items()]),
        table(WHOLE, [_whole(method, runs, dense) for method, runs in methods.items()]).rstrip("\n"),
    ]
    if dense:
        lines.append(f"\nTarget: {target:.4f}. Chance: {chance:.4f}. " + _ended(records))
    lines += notes.of(methods, dense, measures)
    lines += comparisons.gravac(methods, target, measures) + comparisons.oscar_sw(methods, measures)
    return "\n".join(lines) + "\n"


def _quality(method, runs, dense, measures):
    """A line of QUALITY."""
    finished = [run for run in runs if run["rows"]]
    if not finished:
        return [method, str(len(runs)), *["-"] * (len(QUALITY) - 2)]
    qualities = [quality(run) for run in finished]
    mean = statistics.fmean(qualities)
    line = [
        method,
        str(len(runs)),
        f"{mean:.4f}" + (f" ± {statistics.stdev(qualities):.4f}" if len(qualities) > 1 else ""),
    ]
    if not dense:
        return [*line, *["-"] * (len(QUALITY) - len(line))]
    target = measures.reached(dense)
    own = measures.time_to(runs, target)
    return [
        *line,
        f"{measures.better_by(mean, measures.quality(dense)):+.4f}",
        comparisons.time_in_words(finished, own),
        comparisons.factor(measures.time_to(dense, target), own),
        comparisons.factor(*measures.times_at_equal_quality(dense, finished)),
    ]


def _whole(method, runs, dense):
    """A line of WHOLE."""
    finished = [run for run in runs if run["rows"]]
    if not finished:
        return [method, "0", *["-"] * (len(WHOLE) - 2)]
    return [
        method,
        str(max(run["rows"][-1]["step"] for run in finished)),
        *_totals(runs, dense),
        _shortcut([run["collectives"] for run in finished]),
    ]


def _shortcut(collectives):
    """The largest difference that was found. Records from before `sampled` was recorded have no word on it."""
    if any(run.get("reused") for run in collectives) and not any(run["sampled"] for run in collectives):
        return "not sampled"
    return f"{100 * max(run['worst_error'] for run in collectives):.2f} %"


def _totals(runs, dense):
    """Time and bytes of whole trainings, and over dense's; one that ended early has none."""
    whole, of_dense = ([run for run in some or [] if run["ended"] == AFTER_ALL_STEPS] for some in (runs, dense))
    if not whole:
        return ["-"] * 5
    seconds, moved = (_median_end(whole, key) for key in ("seconds", "payload_bytes"))
    if not of_dense:
        return [f"{seconds:.2f}", "-", f"{moved / 2**20:.2f}", "-", "-"]
    return [
        f"{seconds:.2f}",
        f"{_median_end(of_dense, 'seconds') / seconds:.2f}",
        f"{moved / 2**20:.2f}",
        f"{_median_end(of_dense, 'payload_bytes') / moved:.1f}",
        _fewer_floats(whole, of_dense),
    ]


def _median_end(runs, key):
    return statistics.median(run["rows"][-1][key] for run in runs)


def _fewer_floats(runs, dense):
    """The figure of papers, which counts values and no indices; codes are no floats."""
    own, all_of = (_median_end(some, "floats") for some in (runs, dense))
    return f"{all_of / own:.1f}" if own else "-"


def qualities(record):
    """Of each evaluation the mean of it and those before it, WINDOW in all where there are as many."""
    values = [row["quality"] for row in record["rows"]]
    return [statistics.fmean(values[max(0, i + 1 - WINDOW) : i + 1]) for i in range(len(values))]


def quality(record):
    """Mean of the last evaluations."""
    return statistics.fmean(row["quality"] for row in record["rows"][-WINDOW:])


def target_of(runs, rising):
    """What trainings of one method reach, less a standard deviation."""
    qualities = [quality(run) for run in runs]
    deviation = statistics.stdev(qualities) if len(qualities) > 1 else 0.0
    return statistics.fmean(qualities) - (deviation if rising else -deviation)


def time_to(runs, target, rising):
    """Simulated seconds at which the median seed first is at the target over WINDOW evaluations; None: most never."""
    times = sorted(filter(None, (_first_at(run["rows"], target, rising) for run in runs)))
    return times[len(runs) // 2] if len(times) > len(runs) // 2 else None


def _first_at(rows, target, rising):
    for i in range(WINDOW - 1, len(rows)):
        mean = statistics.fmean(row["quality"] for row in rows[i - WINDOW + 1 : i + 1])
        if mean >= target if rising else mean <= target:
            return rows[i]["seconds"]
    return None


def _ended(records):
    early = [f"{r['method']}, seed {r['seed']}: {r['ended']}" for r in records if r["ended"] != AFTER_ALL_STEPS]
    return "Ended early: " + "; ".join(early) + "." if early else "No training ended early."
