"""All methods of all trainings in one figure, a panel for each training: how many times as fast as dense training each
comes to equal quality, against how many times fewer bytes it sends.

Points are those of the page's table: "x dense at equal quality". The line above them is the bound of every method that
takes as many steps as dense training: a step without the time of exchanges and of the GPU's kernels. What lies above it
needs fewer steps.
"""

from matplotlib import pyplot
from oscar_plot import quantity, style
from oscar_summary import records as csv

from . import curves, summary

FIGURE = "overview"
NAMED = 8  # methods of a panel that have their names, the quickest


def bound(settings, of_dense):
    """Times that a step is shorter where exchanges and kernels take no time; None: no training without compression, or
    a machine without a step."""
    step = settings.machine.get("step") or {}
    times = [step[key] for key in ("forward", "backward", "optimiser") if key in step]
    passes = sum(number * quantity.UNITS[unit][1] for number, unit in map(quantity.split, times)) * 1e-12
    return of_dense["seconds"] / of_dense["steps"] / passes if passes and of_dense and of_dense["seconds"] else None


def draw(settings, folder):
    """Saves overview.svg and .png in `folder`, whose methods.csv has the points; `settings`: of the trainings that are
    shown. None are drawn of which no method has both figures."""
    rows = csv.read(folder / "methods.csv")[1]
    panels = [(of, points) for of in settings if (points := _points(rows, of.name))]
    if not panels:
        return
    figure, axes = pyplot.subplots(1, len(panels), figsize=(3.9 * len(panels), 4.2), squeeze=False, sharey=True)
    for panel, (of, points) in zip(axes[0], panels):
        dense = next((row for row in rows if (row["training"], row["method"]) == (of.name, summary.DENSE)), None)
        _panel(panel, points, bound(of, dense))
        panel.set_title(f"{of.name}: {of.ranks} ranks, {curves.link(of)}".rstrip(", "))
        panel.set_xlabel("times fewer bytes than dense")
    axes[0][0].set_ylabel("times as fast as dense\nto equal quality")
    style.save(figure, folder, FIGURE)


def _points(rows, training):
    """(method, times fewer bytes, times as fast), the quickest first."""
    known = [row for row in rows if row["training"] == training and row["x_equal"] and row["x_mib"]]
    points = [(row["method"], row["x_mib"], row["x_equal"]) for row in known]
    return sorted(points, key=lambda point: -point[2]) if len(points) > 1 else []


def _panel(panel, points, most):
    named = {name for name, *_ in points[:NAMED]} | {summary.DENSE}
    looks = style.of([name for name, *_ in points if name in named])
    for name, fewer, sooner in points:
        look = looks.get(name)
        panel.plot(fewer, sooner, marker=look.marker if look else "o", color=look.colour if look else style.GREY)
        if look:
            panel.annotate(name, (fewer, sooner), xytext=(4, 3), textcoords="offset points", fontsize=6.5)
    panel.set_xscale("log")
    panel.set_yscale("log")
    style.plain_log(panel.xaxis, (1, 3))
    style.plain_log(panel.yaxis)
    if most:
        style.reference(panel, most, "exchanges take no time", begin=True)
