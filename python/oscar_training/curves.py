"""Quality against steps, bytes and simulated time, a panel each, the mean over the seeds."""

import statistics

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402  (the backend comes first)

from oscar_plot import style  # noqa: E402

AXES = (("step", "optimiser steps", 1), ("payload_bytes", "MiB of the busiest rank", 2**20), ("seconds", "simulated seconds", 1))


def draw(methods, metric, path):
    """Saves path.svg and path.png; `methods`: {name: records}. Methods without a complete row are left out; of none there is no figure."""
    methods = {name: runs for name, runs in methods.items() if any(run["rows"] for run in runs)}
    if not methods:
        return
    pyplot.rcParams.update(style.SETTINGS)
    looks = style.of(methods)
    figure, panels = pyplot.subplots(1, 3, figsize=(12, 4.6), sharey=True)
    for method, runs in methods.items():
        rows = list(zip(*(run["rows"] for run in runs if run["rows"])))   # as far as all seeds came
        look = {**style.line(looks[method]), "markersize": 4}
        for panel, (key, _, unit) in zip(panels, AXES):
            panel.plot([statistics.fmean(row[key] for row in at) / unit for at in rows],
                       [statistics.fmean(row["quality"] for row in at) for at in rows], label=method, markevery=max(1, len(rows) // 6), **look)
    for panel, (key, name, _) in zip(panels, AXES):
        panel.set_xlabel(name)
        if key != "step":
            panel.set_xscale("log")
    panels[0].set_ylabel(metric.split(" (")[0])   # without what explains it
    panels[-1].legend(loc="center left", bbox_to_anchor=(1.02, 0.5), fontsize=7)
    for end in (".svg", ".png"):
        figure.savefig(path.with_name(path.name + end), metadata={"Date": None} if end == ".svg" else None)
    pyplot.close(figure)
