"""The ablation of OSCAR-HW: what each ingredient adds, and all variants beside each other.

A frame has a row per panel, method and trace: `panel`, `method`, `trace` and `speedup`, over fp32.
"""

import seaborn
from matplotlib import pyplot

from oscar_plot import style
from oscar_summary import geometric

LADDER = {
    "fp32": "fp32",
    "fixed_point": "8-bit integers, uncoded",
    "asc-equal": "+ ASC with a table per link and timestep",
    "asc-balanced": "+ chunks of equal coded size",
    "asc-classes": "+ 8 classes of values by magnitude",
    "oscar-hw": "+ adaptation by symbol = OSCAR-HW",
}
GROUPS = {
    ("Uncoded", style.BLACK): {"fp32": "fp32", "bf16": "bf16", "fixed_point": "8-bit integers"},
    ("Atalanta", style.ORANGE): {
        "atalanta-equal": "equal chunks",
        "atalanta-balanced": "balanced chunks",
        "atalanta-local-balanced": "balanced, table of local gradients",
    },
    ("ASC, balanced chunks", style.GREEN): {
        "asc-equal": "with equal chunks instead",
        "asc-balanced": "a table per link and timestep",
        "asc-one-table": "one table of all links",
        "asc-rescaled": "tables rescaled by ranks",
        "asc-power-of-two": "tables of powers of two ranks",
        "asc-rotate": "tables rotate as the scale jumps",
        "asc-ranges": "tables of ranges",
        "asc-adapt-block": "adapts by block",
        "asc-adapt-symbol": "adapts by symbol",
        "aac-symbol": "AAC: no learnt start",
    },
    ("ASC with classes of values", style.BLUE): {
        "asc-zero-split": "zero or not, as context",
        "asc-two-coders": "zero or not, two coders",
        "asc-layers": "by layer",
        "asc-classes": "by magnitude",
        "rans-classes": "by magnitude, coded by rANS",
    },
    ("OSCAR-HW", style.VERMILLION): {
        "oscar-hw-equal": "equal chunks",
        "oscar-hw-predicted": "chunks of predicted size",
        "oscar-hw-round-robin": "blocks dealt in turn",
        "oscar-hw": "blocks to the emptiest chunk",
    },
}


def means_of(frame):
    """Geometric means over the traces, by panel and method."""
    return frame.groupby(["panel", "method"], sort=False)["speedup"].agg(geometric)


def waterfall(frame, title):
    """Each bar goes from the mean speed-up without an ingredient to that with it."""
    frame, means = frame[frame["method"].isin(LADDER)], means_of(frame)
    figure, panels = _panels(frame, title, 2.9)
    for panel, name in zip(panels, frame["panel"].unique()):
        before = 0.0
        for place, method in enumerate(LADDER):
            after = means[name, method]
            look = style.bar(style.LOOKS.get(method, style.Look(style.GREEN, "^")))
            panel.barh(place, after - before, left=before, height=0.7, **look)
            words = f"{after:.2f}" + (f"  (×{after / before:.2f})" if place else "")
            panel.annotate(
                words, (max(before, after), place), xytext=(4, 0), textcoords="offset points", va="center", fontsize=8
            )
            before = after
        _dress(panel, range(len(LADDER)), LADDER.values(), 1.35 * means[name][list(LADDER)].max())
    return figure


def variants(frame, title):
    """A bar per method in groups, its mean at its end, and a dot per trace."""
    means = means_of(frame)
    places, headings = _places()
    figure, panels = _panels(frame, title, 6.4)
    for panel, name in zip(panels, frame["panel"].unique()):
        for (_, colour), methods in GROUPS.items():
            for method in methods:
                panel.barh(places[method], means[name, method], color=colour + "50", edgecolor=colour, height=0.75)
                panel.annotate(
                    f"{means[name, method]:.2f}",
                    (0, places[method]),
                    xytext=(4, 0),
                    textcoords="offset points",
                    va="center",
                    fontsize=7.5,
                )
        of_panel = frame[frame["panel"] == name]
        seaborn.scatterplot(
            x=of_panel["speedup"],
            y=of_panel["method"].map(places),
            s=9,
            color=style.TEXT,
            linewidth=0,
            ax=panel,
            zorder=3,
        )
        words = {
            place: text for methods in GROUPS.values() for method, text in methods.items() for place in [places[method]]
        }
        _dress(panel, [*headings, *words], [*headings.values(), *words.values()], 1.05 * of_panel["speedup"].max())
        panel.set_ylabel("")
    for label in panels[0].get_yticklabels()[: len(headings)]:
        label.set_weight("bold")
    return figure


def _places():
    """({method: its place}, {place: heading}) with a line for the heading of each group."""
    places, headings, place = {}, {}, 0
    for (heading, _), methods in GROUPS.items():
        headings[place] = heading
        places |= {method: place + 1 + i for i, method in enumerate(methods)}
        place += len(methods) + 1
    return places, headings


def _panels(frame, title, height):
    names = list(frame["panel"].unique())
    figure, panels = pyplot.subplots(1, len(names), figsize=(2 + 3.3 * len(names), height), sharey=True, squeeze=False)
    figure.suptitle(title)
    for panel, name in zip(panels[0], names):
        panel.set_title(name)
    return figure, panels[0]


def _dress(panel, places, words, most):
    panel.set_yticks(list(places), list(words))
    panel.tick_params(axis="y", length=0)
    panel.grid(axis="y", visible=False)
    panel.set_xlim(0, most)
    panel.set_ylim(max(places) + 0.6, min(places) - 0.6)
    panel.set_xlabel("speed-up over fp32 (×)")
    panel.axvline(1, color=style.TEXT, linestyle=":", linewidth=1.1)
