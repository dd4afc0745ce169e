"""Draws the figures of a sweep with Matplotlib."""

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot, ticker  # noqa: E402  (the backend comes first)

from oscar_plot import axes as sweep_axes, style  # noqa: E402

pyplot.rcParams.update(style.SETTINGS)
LOSSLESS = 1e-5  # a relative error below this is rounding: such a method has no place on an axis of errors
PANELS = ("AllReduce time (µs)", "speed-up over {} (×)", "bits per value")


def measures(row, baseline):
    """The three figures of PANELS; the speed-up is None where the baseline did not run."""
    time = row.figures["allreduce_ps"]
    return time / 1e6, baseline / time if baseline else None, row.figures["bits_per_value"]


def along_axis(rows, axis, axes, baseline):
    """Time, speed-up and bits per value along one axis, a panel each."""
    chosen, others = sweep_axes.along(rows, axis, axes)
    looks = style.of(dict.fromkeys(row.method for row in chosen))
    reference = {axis.of(row): row.figures["allreduce_ps"] for row in chosen if row.method == baseline}
    figure, panels = pyplot.subplots(1, 3, figsize=(11, 3.8))
    numbers = axis.numbers()
    for number, (panel, name) in enumerate(zip(panels, PANELS)):
        for position, (method, look) in enumerate(looks.items()):
            values = {axis.of(row): measures(row, reference.get(axis.of(row)))[number]
                      for row in chosen if row.method == method}
            draw = _bars if numbers is None else _line
            draw(panel, axis, values, look, method, (position, len(looks)))
        panel.set_ylabel(name.format(baseline))
        _dress(panel, axis, log_y=number == 0 and _spans(list(_heights(panel))))
    if others:
        figure.suptitle(f"at {others}", color="#555555")
    _legend(figure, panels[0], len(looks))
    return figure


def most_telling(rows, axes):
    """The axis along which the error changes most, in proportion."""
    def change(axis):
        errors = [row.figures["relative_l2_error"] for row in sweep_axes.along(rows, axis, axes)[0]
                  if row.figures["relative_l2_error"] > LOSSLESS]
        return max(errors) / min(errors) if errors else 0
    return max(axes, key=change)


def error_against_ratio(rows, axis, axes):
    """Relative error against compression ratio of the methods that lose something, along one axis."""
    chosen, others = sweep_axes.along(rows, axis, axes)
    looks = style.of(dict.fromkeys(row.method for row in chosen))
    figure, panel = pyplot.subplots(figsize=(6, 4.4))
    drawn = []
    for method, look in looks.items():
        points = [(32 / row.figures["bits_per_value"], row.figures["relative_l2_error"], axis.of(row)[0])
                  for row in chosen if row.method == method and row.figures["relative_l2_error"] > LOSSLESS]
        if points:
            drawn.append(points)
            panel.plot([p[0] for p in points], [p[1] for p in points], label=method, **style.line(look))
    for ratio, error, value in drawn[-1] if drawn else []:
        panel.annotate(value, (ratio, error), textcoords="offset points", xytext=(6, 4), fontsize=8)
    panel.set_xlabel("compression ratio (32 bits / bits per value)")
    panel.set_ylabel("relative L2 error of the sum")
    _log_y(panel)
    note = f"points: {axis.label()}" + (f"; at {others}" if others else "")
    panel.set_title(note, fontsize=8, color="#555555")
    _legend(figure, panel, max(1, len(drawn)))
    return figure if drawn else None


def save(figure, folder, name):
    """Writes name.svg and name.png, the same bytes for the same rows, and gives their paths."""
    paths = [folder / f"{name}.svg", folder / f"{name}.png"]
    figure.savefig(paths[0], metadata={"Date": None}, bbox_inches="tight")
    figure.savefig(paths[1], bbox_inches="tight")
    pyplot.close(figure)
    return paths


def _line(panel, axis, values, look, method, _place):
    numbers = dict(zip(axis.values, axis.numbers()[0]))
    points = sorted((numbers[value], y) for value, y in values.items() if y is not None)
    panel.plot([p[0] for p in points], [p[1] for p in points], label=method, **style.line(look))


def _bars(panel, axis, values, look, method, place):
    position, count = place
    width = 0.8 / count
    offset = (position - (count - 1) / 2) * width
    points = [(axis.values.index(value) + offset, y) for value, y in values.items() if y is not None]
    panel.bar([p[0] for p in points], [p[1] for p in points], width, label=method, **style.bar(look))


def _dress(panel, axis, log_y):
    """Ticks at the values of the sweep; logarithmic where they span a decade."""
    panel.set_xlabel(axis.label())
    numbers = axis.numbers()
    positions = range(len(axis.values)) if numbers is None else numbers[0]
    if numbers and _spans(numbers[0]):
        panel.set_xscale("log")
    panel.xaxis.set_major_locator(ticker.FixedLocator(list(positions)))
    panel.xaxis.set_minor_locator(ticker.NullLocator())
    panel.xaxis.set_major_formatter(ticker.FixedFormatter(_tick_texts(axis, numbers)))
    if log_y:
        _log_y(panel)
    else:
        panel.set_ylim(bottom=0)


def _log_y(panel):
    """A logarithmic axis with plain numbers at 1, 2 and 5."""
    panel.set_yscale("log")
    panel.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
    panel.yaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))
    panel.yaxis.set_minor_locator(ticker.NullLocator())


def _tick_texts(axis, numbers):
    first = [value[0] for value in axis.values] if numbers is None else [f"{number:g}" for number in numbers[0]]
    return ["\n".join((text, *value[1:])) for text, value in zip(first, axis.values)]


def _heights(panel):
    """What the lines and bars of a panel show."""
    for line in panel.lines:
        yield from line.get_ydata()
    for patch in panel.patches:
        yield patch.get_height()


def _spans(values):
    """Whether positive values span a decade or more."""
    return min(values) > 0 and max(values) >= 10 * min(values)


def _legend(figure, panel, columns):
    """Below the panels, where it covers nothing."""
    handles, labels = panel.get_legend_handles_labels()
    figure.legend(handles, labels, loc="upper center", bbox_to_anchor=(0.5, 0), ncol=columns)
