"""A sheet of boxes, arrows and texts that is written as an SVG. Lengths are half inches; x grows to the right,
y upwards."""

import io

import matplotlib
from oscar_summary import files

matplotlib.use("Agg")
from matplotlib.figure import Figure  # noqa: E402
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Polygon, Rectangle  # noqa: E402

INK = "#222222"
BLUE, ORANGE, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#777777"  # Okabe and Ito's, readable for the colour-blind
FILL = {INK: "#FFFFFF", BLUE: "#DCEBF5", ORANGE: "#FBE6D9", GREEN: "#DDF1EA", GREY: "#EEEEEE"}
SETTINGS = {"svg.hashsalt": "oscar-sim", "svg.fonttype": "none"}


class Sheet:
    """Every drawing function returns nothing; what is drawn later covers what was drawn before."""

    def __init__(self, width, height):
        self.figure = Figure(figsize=(width / 2, height / 2))
        self.axes = self.figure.add_axes((0, 0, 1, 1))
        self.axes.set(xlim=(0, width), ylim=(0, height))
        self.axes.axis("off")

    def text(self, x, y, words, colour=INK, size=9, align="center", **style):
        self.axes.text(x, y, words, color=colour, fontsize=size, ha=align, va="center", **style)

    def box(self, x, y, width, height, words="", colour=INK, size=9):
        """With its lower left corner at (x, y)."""
        self.axes.add_patch(
            FancyBboxPatch(
                (x, y),
                width,
                height,
                boxstyle="round,pad=0,rounding_size=0.12",
                facecolor=FILL[colour],
                edgecolor=colour,
                linewidth=1.1,
            )
        )
        self.text(x + width / 2, y + height / 2, words, size=size)

    def bar(self, x, y, width, height, words="", colour=BLUE, size=8):
        """A part of a time line or of a bucket, without rounded corners."""
        self.axes.add_patch(Rectangle((x, y), width, height, facecolor=FILL[colour], edgecolor=colour, linewidth=0.9))
        self.text(x + width / 2, y + height / 2, words, size=size)

    def shape(self, corners, colour=BLUE):
        self.axes.add_patch(Polygon(corners, facecolor=FILL[colour], edgecolor=colour, linewidth=0.9))

    def line(self, *points, colour=GREY, dashed=False, width=0.9):
        self.axes.plot(*zip(*points), color=colour, linewidth=width, linestyle=(0, (4, 3)) if dashed else "-")

    def arrow(self, start, end, words="", colour=INK, dashed=False, side=0.22, size=8):
        """`words` stand in its middle, `side` above it (below, if negative)."""
        self.axes.add_patch(
            FancyArrowPatch(
                start,
                end,
                arrowstyle="-|>",
                mutation_scale=9,
                color=colour,
                linewidth=1.1,
                linestyle=(0, (4, 3)) if dashed else "-",
                shrinkA=0,
                shrinkB=0,
            )
        )
        self.text((start[0] + end[0]) / 2, (start[1] + end[1]) / 2 + side, words, colour, size)

    def save(self, file):
        """The same bytes whenever the drawing and the version of matplotlib are the same."""
        drawn = io.BytesIO()
        with matplotlib.rc_context(SETTINGS):
            self.figure.savefig(drawn, format="svg", metadata={"Date": None, "Creator": None}, facecolor="white")
        files.replace(file, drawn.getvalue())
