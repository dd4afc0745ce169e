"""The look of every figure: one fixed colour, marker and line per method, and what figures have in common.

Where more than MOST methods are drawn, those that come first in LOOKS are highlighted and the others are grey. Methods
are told apart by marker and line too, and bars by hatches, so that a figure can be read without its colours.
"""

import io
import zlib
from dataclasses import dataclass

import matplotlib
from oscar_summary import files

matplotlib.use("Agg")
from matplotlib import patheffects, lines, pyplot, ticker  # noqa: E402  (the backend comes first)

# Okabe and Ito's colours, which colour-blind readers can tell apart (jfly.uni-koeln.de/color);
# their yellow is too pale for lines.
BLACK, BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY = (
    "#000000",
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#CC79A7",
    "#E69F00",
    "#56B4E9",
)
COLOURS = (BLUE, GREEN, ORANGE, SKY, PURPLE, VERMILLION, BLACK)
GREY, TEXT = "#BBBBBB", "#555555"
SOLID, DASHED, DASH_DOT, DOTTED, LONG, DOUBLE_DOT = (
    "",
    (4, 1.5),
    (3, 1.25, 1, 1.25),
    (1, 1),
    (7, 1.5),
    (3, 1, 1, 1, 1, 1),
)
MARKERS, LINES = ("o", "s", "^", "D", "v", "P", "X"), (SOLID, DASHED, DASH_DOT, DOTTED, LONG, DOUBLE_DOT)
HATCHES = {"o": "", "s": "///", "^": "\\\\\\", "D": "xxx", "v": "---", "P": "+++", "X": "..."}
MOST = 6  # methods that a reader can tell apart
OTHERS = "others"


@dataclass(frozen=True)
class Look:
    """`line`: lengths of dashes and gaps in points, "" for a solid one."""

    colour: str
    marker: str
    line: object = SOLID
    width: float = 1.4  # points


# In the order in which they are highlighted: what all is held against, the proposed methods, their closest rivals.
LOOKS = {
    "fp32": Look(BLACK, "o"),
    "dense": Look(BLACK, "o"),
    "oscar-hw": Look(VERMILLION, "D", width=2.2),
    "oscar_hw": Look(VERMILLION, "D", width=2.2),
    "oscar-sw packed 8 bit": Look(PURPLE, "v", LONG),
    "fixed_point": Look(BLUE, "s", DASHED),
    "asc": Look(GREEN, "^", DASH_DOT),
    "asc-balanced": Look(GREEN, "^", DASH_DOT),
    "gravac": Look(GREEN, "^", DASH_DOT),
    "gravac 0.4": Look(GREEN, "^", DASH_DOT),
    "top-k 10x": Look(BLUE, "s", DASHED),
    "count sketch 2.5x": Look(SKY, "P", DOTTED),
    "powersgd rank 4": Look(ORANGE, "X", DOUBLE_DOT),
    "accordion powersgd": Look(PURPLE, "v", LONG),
    "redsync 10x": Look(SKY, "P", DOTTED),
    "atalanta": Look(ORANGE, "X", DOUBLE_DOT),
    "atalanta-equal": Look(ORANGE, "X", DOUBLE_DOT),
    "atalanta-balanced": Look(PURPLE, "v", LONG),
    "atalanta-inline": Look(PURPLE, "v", LONG),
    "bf16": Look(SKY, "P", DOTTED),
    "rans-classes": Look(PURPLE, "v", LONG),
    # Beside the measurements of a machine
    "alpha-beta line": Look(ORANGE, "X", DOUBLE_DOT),
    "simulated": Look(VERMILLION, "D", width=2.4),
    "NCCL's tuner": Look(BLUE, "s", DASHED),
    # DMA of a machine
    "PCIe 5 x16": Look(BLUE, "s", DASHED),
    "PCIe 6 x16": Look(GREEN, "^", DASH_DOT),
    "NVLink-C2C (1024 lanes)": Look(VERMILLION, "D"),
}

SETTINGS = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.titlesize": 9,
    "grid.color": "#E4E4E4",
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.4,
    "lines.markersize": 5,
    "lines.markerfacecolor": "none",
    "axes.axisbelow": True,
    "figure.titlesize": 10,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "hatch.linewidth": 0.5,
    "svg.hashsalt": "oscar-sim",
    "savefig.dpi": 120,
    "figure.constrained_layout.use": True,
}
pyplot.rcParams.update(SETTINGS)


def highlighted(methods):
    """At most MOST of the methods, those of LOOKS first."""
    known = [name for name in LOOKS if name in methods]
    return [*known, *(name for name in methods if name not in LOOKS)][:MOST]


def of(methods):
    """{method: its Look}. A method that LOOKS does not have takes a look that follows from its name; where another
    method of the figure has that colour already, the next colour."""
    looks = {name: LOOKS[name] for name in methods if name in LOOKS}
    for name in methods:
        if name not in looks:
            digest = zlib.crc32(name.encode())
            taken = {look.colour for look in looks.values()}
            turned = [COLOURS[(digest + i) % len(COLOURS)] for i in range(len(COLOURS))]
            colour = next((colour for colour in turned if colour not in taken), turned[0])
            looks[name] = Look(colour, MARKERS[digest // 7 % len(MARKERS)], LINES[digest // 49 % len(LINES)])
    return {name: looks[name] for name in methods}


def line(look):
    """Arguments of Axes.plot."""
    return {
        "color": look.colour,
        "marker": look.marker,
        "linestyle": (0, look.line) if look.line else "-",
        "linewidth": look.width,
    }


def bar(look):
    """Arguments of Axes.bar."""
    return {"facecolor": look.colour + "40", "edgecolor": look.colour, "hatch": HATCHES[look.marker]}


HALO = [patheffects.withStroke(linewidth=2.5, foreground="white")]  # of words over curves


def reference(panel, value, words, vertical=False, colour=TEXT, begin=False):
    """A dotted line at a value, named where it ends, or where it begins."""
    (panel.axvline if vertical else panel.axhline)(value, color=colour, linestyle=":", linewidth=1.1, zorder=1)
    along, offset = (0.0, 3) if begin else (1.0, -3)
    if vertical:
        panel.annotate(
            words,
            (value, along),
            xycoords=panel.get_xaxis_transform(),
            xytext=(2, offset),
            textcoords="offset points",
            rotation=90,
            ha="left",
            va="bottom" if begin else "top",
            fontsize=7.5,
            color=colour,
            path_effects=HALO,
        )
    else:
        panel.annotate(
            words,
            (along, value),
            xycoords=panel.get_yaxis_transform(),
            xytext=(offset, 1.5),
            textcoords="offset points",
            ha="left" if begin else "right",
            va="bottom",
            fontsize=7.5,
            color=colour,
            path_effects=HALO,
        )


def plain_log(axis, subs=(1, 2, 5)):
    """A logarithmic axis with plain numbers at these multiples of powers of ten."""
    axis.set_major_locator(ticker.LogLocator(subs=subs))
    axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_locator(ticker.NullLocator())


def handles(looks):
    """Entries of a legend."""
    return [lines.Line2D([], [], label=name, **line(look)) for name, look in looks.items()]


def grey_handle(names):
    return lines.Line2D([], [], color=GREY, linewidth=1, label=f"{len(names)} {OTHERS}")


def legend_below(figure, entries, columns=None):
    """Below the panels, where it covers nothing."""
    figure.legend(handles=entries, loc="upper center", bbox_to_anchor=(0.5, 0), ncol=columns or len(entries))


def save(figure, folder, name):
    """Writes name.svg and name.png, the same bytes for the same figures, each whole or not at all, and gives their
    paths."""
    paths = []
    for form, about in (("svg", {"metadata": {"Date": None}}), ("png", {})):
        drawn = io.BytesIO()
        figure.savefig(drawn, format=form, bbox_inches="tight", **about)
        paths.append(folder / f"{name}.{form}")
        files.replace(paths[-1], drawn.getvalue())
    pyplot.close(figure)
    return paths
