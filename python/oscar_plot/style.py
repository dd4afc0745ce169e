"""Methods look different without their colours: by line, marker and hatch."""

# Okabe and Ito's colours, which colour-blind readers can tell apart (jfly.uni-koeln.de/color).
COLOURS = ["#000000", "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"]
MARKERS = ["o", "s", "^", "D", "v", "P", "X", "*"]
LINES = ["-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1, 1, 1))]
HATCHES = ["", "///", "\\\\\\", "xxx", "...", "+++", "ooo", "|||"]

SETTINGS = {
    "font.size": 9, "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
    "grid.color": "#DDDDDD", "grid.linewidth": 0.6, "lines.linewidth": 1.4, "lines.markerfacecolor": "white",
    "axes.axisbelow": True, "figure.titlesize": 9,
    "legend.frameon": False, "svg.hashsalt": "oscar-sim", "savefig.dpi": 150, "figure.constrained_layout.use": True,
}


def of(methods):
    """Method -> its look."""
    methods = list(methods)
    return {method: {"color": COLOURS[i % len(COLOURS)], "marker": MARKERS[i % len(MARKERS)],
                     "linestyle": LINES[i % len(LINES)], "hatch": HATCHES[i % len(HATCHES)],
                     "markersize": 4.5 + 1.3 * (len(methods) - 1 - i)}  # the later, the smaller: equal points show all
            for i, method in enumerate(methods)}


def line(look):
    return {key: look[key] for key in ("color", "marker", "linestyle", "markersize")}


def bar(look):
    return {"facecolor": "white", "edgecolor": look["color"], "hatch": look["hatch"]}
