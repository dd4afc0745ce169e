"""Quality against simulated time, bytes and steps, a panel each: the mean over the seeds,
and of two methods their range as a band.

A quality is the mean of an evaluation and the two before it, as the tables judge it: one evaluation alone is noisy.
"""

import textwrap

import pandas
import seaborn
from matplotlib import pyplot

from oscar_plot import quantity, style

from . import comparisons, summary

PANELS = {"seconds": "simulated time (s)", "MiB": "sent so far by a rank (MiB)", "step": "optimiser steps"}
BANDS = 2  # methods, the first that are highlighted, whose seeds have a band: more would hide each other
SETTLED = 0.3  # share of the steps after which the axis of qualities begins


def title(settings, seeds):
    """What the figure is of: the task, the ranks, the network and the number of seeds."""
    network = settings.machine.get("network", {})
    kind = network.get("topology", {}).get("kind")
    return ", ".join(
        [
            f"Training {settings.workload}: {settings.ranks} ranks" + (f" ({kind})" if kind else ""),
            *([words] if (words := link(settings)) else []),
            *([f"learning rate {settings.learning_rate:g}"] if settings.learning_rate else []),
            "one seed" if seeds == 1 else f"mean and range of {seeds} seeds",
        ]
    )


def link(settings):
    """The links of the network; "" where the file leaves them to the program."""
    bandwidth = settings.machine.get("network", {}).get("link", {}).get("bandwidth")
    return f"links of {quantity.spelled(bandwidth)}" if bandwidth else ""


def frame_of(methods):
    """A line per method, seed and step that all seeds of it came to; seconds and MiB are means over the seeds."""
    lines = [
        {
            "method": name,
            "seed": run["seed"],
            "step": row["step"],
            "seconds": row["seconds"],
            "MiB": row["payload_bytes"] / 2**20,
            "quality": quality,
        }
        for name, runs in methods.items()
        for run in runs
        for row, quality in zip(run["rows"], comparisons.qualities(run))
    ]
    frame = pandas.DataFrame(lines)
    at_step = frame.groupby(["method", "step"])
    seeds = frame.groupby("method")["seed"].transform("nunique")
    frame[["seconds", "MiB"]] = at_step[["seconds", "MiB"]].transform("mean")
    return frame[at_step["seed"].transform("nunique") == seeds]


def ends(frame):
    """{method: mean quality at its last step}."""
    means = frame.groupby(["method", "step"])["quality"].mean().reset_index()
    return means.groupby("method")["quality"].last()


def limits(frame, rising):
    """The range of qualities that matters: from what the median method has at SETTLED to a little above the best of
    all."""
    means = frame.groupby(["method", "step"])["quality"].mean().unstack("method")
    worst = means[means.index >= SETTLED * means.index.max()].bfill().iloc[0].median()
    best = means.max().max() if rising else means.min().min()
    return worst - 0.06 * (best - worst), best + 0.08 * (best - worst)


def notes(frame, grey, shown, banded):
    """Which methods are grey, which end outside the axis, and whose range of seeds is `banded`."""
    low, high = sorted(shown)
    outside = [f"{name} ({quality:.2f})" for name, quality in ends(frame).items() if not low <= quality <= high]
    texts = [
        f"Grey: {'; '.join(grey)}." if grey else "",
        f"Ends below what is shown: {'; '.join(outside)}." if outside else "",
        f"Bands: range of the seeds of {' and '.join(banded)}.",
    ]
    return textwrap.fill(" ".join(filter(None, texts)), 170)


def draw(methods, heading, path):
    """Saves path.svg and path.png; `methods`: {name: records}. Of methods without a complete row there is no figure."""
    methods = {name: runs for name, runs in methods.items() if any(run["rows"] for run in runs)}
    if methods:
        style.save(figure_of(methods, heading), path.parent, path.name)


def figure_of(methods, heading):
    """The figure of methods that have rows each."""
    first = next(iter(methods.values()))[0]
    rising, frame = comparisons.is_rising(first), frame_of(methods)
    looks = style.of(style.highlighted(methods))
    grey = [name for name in methods if name not in looks]
    figure, panels = pyplot.subplots(1, len(PANELS), figsize=(11, 4.2), sharey=True)
    for panel, (x, words) in zip(panels, PANELS.items()):
        _lines(panel, frame, x, looks, grey)
        panel.set_xlabel(words)
    panels[0].set_ylim(limits(frame, rising))
    panels[0].set_ylabel(f"{first['metric'].split(' (')[0]} (better ↑)\nmean of {comparisons.WINDOW} evaluations")
    _log_of_bytes(panels[list(PANELS).index("MiB")], frame)
    if summary.DENSE in methods:
        runs = [run for run in methods[summary.DENSE] if run["rows"]]
        target = comparisons.Measures(rising, None).reached(runs)
        for panel in panels:
            style.reference(panel, target, _words(target, len(runs), rising) if panel is panels[-1] else "", begin=True)
    panels[-1].legend(
        handles=[*style.handles(looks), *([style.grey_handle(grey)] if grey else [])],
        loc="center left",
        bbox_to_anchor=(1.02, 0.5),
    )
    figure.suptitle(heading)
    figure.supxlabel(notes(frame, grey, limits(frame, rising), list(looks)[:BANDS]), fontsize=7.5, color=style.TEXT)
    return figure


def _lines(panel, frame, x, looks, grey):
    for name in grey:
        seaborn.lineplot(
            frame[frame["method"] == name], x=x, y="quality", errorbar=None, color=style.GREY, linewidth=0.8, ax=panel
        )
    banded = list(looks)[:BANDS]
    for name, look in reversed(looks.items()):  # the first on top
        rows = frame[frame["method"] == name]
        seaborn.lineplot(
            rows,
            x=x,
            y="quality",
            errorbar=("pi", 100) if name in banded else None,
            ax=panel,
            label=name,
            legend=False,
            markeredgecolor=look.colour,
            markevery=max(1, rows["step"].nunique() // 6),
            err_kws={"linewidth": 0, "alpha": 0.1},
            **style.line(look),
        )


def _words(target, seeds, rising):
    return f"target {target:.3f}: dense" + ("" if seeds == 1 else " − 1σ" if rising else " + 1σ")


def _log_of_bytes(panel, frame):
    """From what is sent first by a method that comes to be seen on the axis of qualities."""
    low, high = sorted(panel.get_ylim())
    seen = frame[frame["quality"].between(low, high)]["MiB"]
    panel.set_xscale("log")
    panel.set_xlim(seen.min() / 1.5, seen.max() * 1.5)
    style.plain_log(panel.xaxis)
