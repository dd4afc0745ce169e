"""Error against bits and against time: a curve per quantiser, a point per width of a code."""

from dataclasses import dataclass

from matplotlib import pyplot

from oscar_plot import style

LOOKS = {
    "max": style.Look(style.ORANGE, "X", style.DOUBLE_DOT),
    "percentile": style.Look(style.BLUE, "s", style.DASHED),
    "per_tensor": style.Look(style.GREEN, "^", style.DASH_DOT),
    "per_tensor_percentile": style.Look(style.PURPLE, "v", style.LONG),
}
FLOOR = 0.5  # the axis of errors begins at so much of the least error that is drawn, but for those of EXACT
EXACT = 1e-6  # what is closer is told in words at the axis


@dataclass(frozen=True)
class Point:
    """A quantiser or a method without one: name (of a quantiser its bits), relative L2 error, bits a value, us."""

    name: object
    error: float
    bits: float
    time: float


def figure_of(panels, marked, title):
    """`panels`: heading -> ({kind of quantiser: points}, {method: point}). `marked`:
    words -> (kind, bits) of a point with a ring."""
    figure, axes = pyplot.subplots(
        2, len(panels), figsize=(3.7 * len(panels), 6.4), sharex="row", sharey=True, squeeze=False
    )
    looks = {kind: LOOKS.get(kind) or style.of([kind])[kind] for curves, _ in panels.values() for kind in curves}
    errors = [
        point.error
        for curves, plain in panels.values()
        for points in (*curves.values(), plain.values())
        for point in points
    ]
    least = min(error for error in errors if error > EXACT)
    axes[0][0].set(yscale="log", ylim=(FLOOR * least, max(errors) / FLOOR))
    for (heading, (curves, plain)), above, below in zip(panels.items(), *axes):
        for panel, figure_name in ((above, "bits"), (below, "time")):
            for kind, points in curves.items():
                _curve(panel, points, figure_name, looks[kind])
            _plain(panel, plain, figure_name, FLOOR * least)
            _marks(panel, curves, marked, figure_name)
            panel.set_xscale("log")
            style.plain_log(panel.xaxis)
        above.set(title=heading, xlabel="bits per value on the wire")
        below.set_xlabel("AllReduce (µs)")
    for panel in axes[:, 0]:
        panel.set_ylabel("relative L2 error of the sum")
    style.plain_log(axes[0][0].yaxis)
    figure.suptitle(title)
    style.legend_below(figure, [*style.handles(looks), *_handles(marked)], columns=len(looks) + len(marked))
    return figure


def _curve(panel, points, figure, look):
    panel.plot([getattr(point, figure) for point in points], [point.error for point in points], **style.line(look))
    for point in (points[0], points[-1]):
        panel.annotate(
            str(point.name),
            (getattr(point, figure), point.error),
            xytext=(4, 3),
            textcoords="offset points",
            fontsize=7.5,
            color=look.colour,
        )


def _plain(panel, plain, figure, floor):
    """Methods without a quantiser; one that is as good as exact stands on the axis, its error in words."""
    for name, point in plain.items():
        look, exact = style.LOOKS[name], point.error <= EXACT
        panel.plot(
            [getattr(point, figure)],
            [floor if exact else point.error],
            **style.line(look) | {"linestyle": ""},
            clip_on=False,
        )
        panel.annotate(
            f"{name} ({point.error:.0e})" if exact else name,
            (getattr(point, figure), floor if exact else point.error),
            xytext=(-5, 5),
            textcoords="offset points",
            ha="right",
            fontsize=7.5,
            color=look.colour,
        )


def _marks(panel, curves, marked, figure):
    """A ring or a square round each point that has a name."""
    for (kind, bits), marker in zip(marked.values(), MARKERS):
        for point in curves.get(kind, ()):
            if point.name == bits:
                panel.plot([getattr(point, figure)], [point.error], color=style.VERMILLION, zorder=4, **marker)


MARKERS = (
    {"marker": "o", "markersize": 12, "markeredgewidth": 1.4, "linestyle": ""},
    {"marker": "*", "markersize": 17, "markeredgewidth": 1.2, "linestyle": ""},
)


def _handles(marked):
    from matplotlib import lines

    return [
        lines.Line2D([], [], label=words, color=style.VERMILLION, **marker | {"markersize": 9})
        for words, marker in zip(marked, MARKERS)
    ]
