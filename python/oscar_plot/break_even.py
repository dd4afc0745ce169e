"""Speed-up against link rate, with the rate from which on compression does not pay."""

from matplotlib import pyplot

from oscar_plot import style

CLOSE = 0.1  # values whose texts would overlap, in proportion


def _dress(panel, rates, title, bottom):
    panel.set_xscale("log")
    panel.set_xticks(rates, [f"{rate:g}" for rate in rates])
    panel.minorticks_off()
    panel.set_ylim(bottom=bottom)
    panel.set_xlabel("link (Gbit/s)")
    panel.set_title(title)


def draw(panels, rates, label, folder, name, title, bottom=0):
    """A panel per entry of `panels`: its title -> ({curve: speed-ups at `rates`}, rate of the break-even or None).

    `bottom`: where the axis of speed-ups begins.
    """
    return style.save(figure_of(panels, rates, label, title, bottom), folder, name)


def figure_of(panels, rates, label, title, bottom=0):
    figure, axes = pyplot.subplots(1, len(panels), figsize=(3.7 * len(panels), 3.4), sharey=True, squeeze=False)
    looks = style.of(dict.fromkeys(curve for curves, _ in panels.values() for curve in curves))
    for panel, (heading, (curves, rate)) in zip(axes[0], panels.items()):
        for curve, values in curves.items():
            panel.plot(rates, values, **style.line(looks[curve]))
        _values_at_first(panel, rates, curves, looks)
        if rate is not None:
            style.reference(panel, rate, f"no gain from {rate:g} Gbit/s on", vertical=True)
        style.reference(panel, 1, "no faster", begin=True)
        _dress(panel, rates, heading, bottom)
    axes[0][0].set_ylabel(label)
    figure.suptitle(title)
    style.legend_below(figure, style.handles(looks))
    return figure


def _values_at_first(panel, rates, curves, looks):
    """The speed-ups on the slowest link, beside their points; of curves that coincide there only the first."""
    written = []
    for curve, values in curves.items():
        if all(abs(values[0] - other) > CLOSE * values[0] for other in written):
            written.append(values[0])
            panel.annotate(
                f"{values[0]:.2f}",
                (rates[0], values[0]),
                xytext=(7, 3),
                textcoords="offset points",
                fontsize=7.5,
                color=looks[curve].colour,
            )
