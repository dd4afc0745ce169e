"""The figures of a sweep."""

import seaborn
from matplotlib import lines, pyplot, ticker

from oscar_plot import axes as sweep_axes, style

SAME = 0.01  # in proportion: two points closer than this lie upon each other
LOSSLESS = 1e-5  # a relative error below this is rounding: such a method has no place on an axis of errors
PANELS = {
    "us": "AllReduce (µs)",
    "speedup": "speed-up over {} (×)",
    "slower": "slower than the fastest by (%), log above 1 %",
    "bits_per_value": "bits per value",
}
ON_NICS = "nic_bits_per_value"  # of sweeps over machines of several nodes


def figure_of_bits(frame):
    """The figure that says what coding does: bits on NICs where the machines of a sweep have nodes, else of all."""
    return ON_NICS if ON_NICS in frame and frame[ON_NICS].notna().any() else "bits_per_value"


def panels_of(frame):
    """PANELS, with the figure that says what coding does."""
    if figure_of_bits(frame) != ON_NICS:
        return PANELS
    return {key: words for key, words in PANELS.items() if key != "bits_per_value"} | {
        ON_NICS: "bits per value on NICs"
    }


def with_measures(frame, axis, baseline):
    """Adds the figures of PANELS, and `place` on the axis; there is no speed-up where the baseline did not run."""
    frame = frame.assign(us=frame["allreduce_ps"] / 1e6, place=axis.places(frame))
    reference = frame[frame["method"] == baseline].set_index("place")["us"]
    best = frame.groupby("place")["us"].transform("min")
    return frame.assign(speedup=frame["place"].map(reference) / frame["us"], slower=100 * (frame["us"] / best - 1))


def along_axis(sweep, axis, axes, baseline):
    """Time, speed-up, time over that of the fastest method, and bits per value along one axis, a panel each."""
    chosen, others = sweep_axes.along(sweep.frame, axis, axes)
    chosen = with_measures(chosen, axis, baseline)
    looks = style.of(style.highlighted(chosen["method"].unique()))
    figure, panels = pyplot.subplots(2, 2, figsize=(8.4, 6), sharex=True)
    for panel, (name, words) in zip(panels.flat, panels_of(chosen).items()):
        (_bars if axis.numbers() is None else _lines)(panel, chosen, name, looks)
        panel.set(ylabel=words.format(baseline), xlabel="")
        _dress(panel, axis)
        _scale(panel, name, chosen[name])
    for panel in panels[-1]:
        panel.set_xlabel(axis.label())
    figure.suptitle(_title(sweep, "AllReduce", others))
    grey = [name for name in chosen["method"].unique() if name not in looks]
    style.legend_below(figure, _handles(axis, looks, grey))
    return figure


def over_two_axes(sweep, pair, axes, baseline):
    """Speed-ups over two axes as heat maps, a panel for each method but the baseline; None without another method."""
    methods = [name for name in sweep.frame["method"].unique() if name != baseline]
    if not methods:
        return None
    across, down = pair
    chosen, others = sweep_axes.along(sweep.frame, pair, axes)
    times = chosen.pivot_table(index=[down.keys[0], across.keys[0]], columns="method", values="allreduce_ps")
    ratios = {name: (times[baseline] / times[name]).unstack() for name in methods}
    least = min(ratio.min().min() for ratio in ratios.values())
    most = max(ratio.max().max() for ratio in ratios.values())
    figure, panels = pyplot.subplots(
        1, len(methods), figsize=(1.6 + 3.4 * len(methods), 3.6), sharey=True, squeeze=False, layout="constrained"
    )
    for panel, (name, ratio) in zip(panels.flat, ratios.items()):
        ratio = ratio.reindex(index=[value[0] for value in down.values], columns=[value[0] for value in across.values])
        few = len(ratio.index) * len(ratio.columns) <= 60
        seaborn.heatmap(ratio, ax=panel, vmin=least, vmax=most, cmap="cividis", annot=few, fmt=".2f", cbar=False)
        panel.invert_yaxis()
        panel.set(title=name, xlabel=sweep_axes.in_words(across.keys[0]), ylabel="")
    panels[0][0].set_ylabel(sweep_axes.in_words(down.keys[0]))
    figure.colorbar(panels[0][-1].collections[0], ax=panels.ravel().tolist(), label=f"speed-up over {baseline} (×)")
    figure.suptitle(_title(sweep, "AllReduce", others))
    return figure


def most_telling(sweep, axes):
    """The axis along which the error changes most, in proportion."""

    def change(axis):
        errors = sweep_axes.along(sweep.frame, axis, axes)[0]["relative_l2_error"]
        errors = errors[errors > LOSSLESS]
        return errors.max() / errors.min() if len(errors) else 0

    return max(axes, key=change)


def error_against_ratio(sweep, axis, axes):
    """Relative error against compression ratio of the methods that lose something, along one axis.

    None if none does, or if the axis changes neither of any: keys of the machine change times alone.
    """
    chosen, others = sweep_axes.along(sweep.frame, axis, axes)
    chosen = chosen[chosen["relative_l2_error"] > LOSSLESS]
    chosen = chosen.assign(ratio=32 / chosen[figure_of_bits(chosen)])
    if not any(len(_apart(points)) > 1 for _, points in chosen.groupby("method")):
        return None
    looks = style.of(style.highlighted(chosen["method"].unique()))
    figure, panel = pyplot.subplots(figsize=(6, 4.4))
    ends, between = [], []
    for name, look in looks.items():
        points = chosen[chosen["method"] == name]
        panel.plot(points["ratio"], points["relative_l2_error"], label=name, **style.line(look))
        labels = [
            panel.annotate(", ".join(rows[axis.keys[0]]), place, textcoords="offset points", xytext=(6, 4), fontsize=8)
            for place, rows in _apart(points).items()
        ]
        ends += labels[:1] + labels[1:][-1:]
        between += labels[1:-1]
    panel.set(
        xlabel="compression ratio (32 bits / bits per value)", ylabel="relative L2 error of the sum", yscale="log"
    )
    style.plain_log(panel.yaxis)
    panel.set_title(f"points: {axis.label()}")
    figure.suptitle(_title(sweep, "Error of an AllReduce", others))
    style.legend_below(figure, style.handles(looks))
    _thin_out(figure, ends + between)
    return figure


def _thin_out(figure, labels):
    """Hides the labels that would lie upon others, of which the first of the list stay."""
    figure.canvas.draw()
    kept = []
    for label in labels:
        box = label.get_window_extent()
        label.set_visible(not any(box.overlaps(other) for other in kept))
        if label.get_visible():
            kept.append(box)


def _apart(points):
    """{(ratio, error): rows} of a method's points; those that a figure cannot tell apart, to 1 %, are one."""
    found = {}
    for ratio, error, row in zip(points["ratio"], points["relative_l2_error"], range(len(points))):
        place = next(
            (there for there in found if abs(ratio / there[0] - 1) < SAME and abs(error / there[1] - 1) < SAME),
            (ratio, error),
        )
        found.setdefault(place, []).append(row)
    return {place: points.iloc[rows] for place, rows in found.items()}


def _title(sweep, what, others):
    return ", ".join([what, *sweep.fixed.values(), *([others] if others else [])])


def _lines(panel, frame, name, looks):
    for _, rows in frame[~frame["method"].isin(looks)].groupby("method"):
        panel.plot(rows["place"], rows[name], color=style.GREY, linewidth=0.8)
    for method, look in looks.items():
        rows = frame[(frame["method"] == method) & frame[name].notna()].sort_values("place")
        panel.plot(rows["place"], rows[name], label=method, **style.line(look))


def _bars(panel, frame, name, looks):
    seaborn.barplot(frame, x="place", y=name, hue="method", hue_order=list(looks), ax=panel, errorbar=None)
    for bars, look in zip(panel.containers, looks.values()):
        for bar in bars:
            bar.set(**style.bar(look))
        panel.bar_label(bars, fmt="%.3g", fontsize=6.5, padding=1)
    panel.get_legend().remove()
    for patch in set(panel.patches).difference(*panel.containers):
        patch.remove()  # samples of that legend, which seaborn 0.13 keeps among the bars


def _handles(axis, looks, grey):
    """Entries of the legend: of lines with one for those that are grey,
    of bars with a word on those that are left out."""
    if axis.numbers() is not None:
        return [*style.handles(looks), *([style.grey_handle(grey)] if grey else [])]
    left_out = [lines.Line2D([], [], linestyle="", label=f"{len(grey)} {style.OTHERS} left out")] if grey else []
    return [*(pyplot.Rectangle((0, 0), 1, 1, label=name, **style.bar(look)) for name, look in looks.items()), *left_out]


def _scale(panel, name, values):
    """Logarithmic for times that span a decade, and beyond 1 % for differences, most of which are small."""
    if name == "slower":
        panel.set_yscale("symlog", linthresh=1)
        panel.set_ylim(-0.1, max(2, 1.3 * values.max()))
        panel.set_yticks(
            [tick for tick in (0, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) if tick <= panel.get_ylim()[1]]
        )
        panel.yaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))
        panel.yaxis.set_minor_locator(ticker.NullLocator())
    elif name == "us" and _spans(values):
        panel.set_yscale("log")
        style.plain_log(panel.yaxis)
    else:
        panel.set_ylim(bottom=0)


def _dress(panel, axis):
    """Ticks at the values of the sweep; logarithmic for rates and where they span a decade."""
    numbers = axis.numbers()
    positions = range(len(axis.values)) if numbers is None else numbers[0]
    if numbers and (_spans(numbers[0]) or numbers[1].endswith("/s") and min(numbers[0]) > 0):
        panel.set_xscale("log")
    panel.xaxis.set_major_locator(ticker.FixedLocator(list(positions)))
    panel.xaxis.set_minor_locator(ticker.NullLocator())
    panel.xaxis.set_major_formatter(ticker.FixedFormatter(_tick_texts(axis, numbers)))


def _tick_texts(axis, numbers):
    first = [value[0] for value in axis.values] if numbers is None else [f"{number:g}" for number in numbers[0]]
    return ["\n".join((text, *value[1:])) for text, value in zip(first, axis.values)]


def _spans(values):
    """Whether positive values span a decade or more."""
    return min(values) > 0 and max(values) >= 10 * min(values)
