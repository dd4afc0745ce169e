"""Speed-up against link rate, with the rate from which on compression does not pay."""

from matplotlib import pyplot

from oscar_plot import figures, style


def _dress(panel, rates, title):
    panel.set_xscale("log")
    panel.set_xticks(rates, [f"{rate:g}" for rate in rates])
    panel.minorticks_off()
    panel.set_ylim(bottom=0)
    panel.set_xlabel("link (Gbit/s)")
    panel.set_title(title, fontsize=9)


def draw(panels, rates, label, folder, name, title):
    """A panel per entry of `panels`: its title -> ({curve: speed-ups at `rates`}, rate of the break-even or None)."""
    figure, axes = pyplot.subplots(1, len(panels), figsize=(3.7 * len(panels), 3.6), sharey=True, squeeze=False)
    looks = style.of(dict.fromkeys(curve for curves, _ in panels.values() for curve in curves))
    for panel, (heading, (curves, rate)) in zip(axes[0], panels.items()):
        for curve, values in curves.items():
            panel.plot(rates, values, label=curve, **style.line(looks[curve]))
        if rate is not None:
            panel.axvline(rate, color="#555555", linestyle=":", linewidth=1)
            panel.annotate(f"no gain from\n{rate:g} on", (rate, 0), textcoords="offset points", xytext=(-4, 6), ha="right", fontsize=8,
                           color="#555555")
        _dress(panel, rates, heading)
    axes[0][0].set_ylabel(label)
    figure.suptitle(title, color="#555555")
    handles, labels = axes[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="upper center", bbox_to_anchor=(0.5, 0), ncol=len(labels))
    return figures.save(figure, folder, name)
