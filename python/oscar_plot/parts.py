"""Times of methods on machines that differ by one part after the other."""

from matplotlib import pyplot

from oscar_plot import style

WORDS = {
    "plain": "plain machine",
    "codes by the GPU": "+ codes made by the GPU",
    "dependency 8 slices": "+ 8 slices that wait for their data only",
    "in_flight 2": "+ 2 slices in flight",
    "kernels by slice": "+ kernels of the GPU by slice",
    "block classes": "+ class masks by block",
    "blocks 4": "+ 4 blocks a message",
    "lanes 256": "+ 256 lanes = co-design",
    "chunks by time": "+ chunks of equal time",
}


def figure_of(panels, machines, title):
    """`panels`: heading -> {method: µs on each of `machines`}. Beside them stand the last method's times,
    and its speed-up over the first."""
    figure, axes = pyplot.subplots(
        1, len(panels), figsize=(3 + 3.6 * len(panels), 1.4 + 0.24 * len(machines)), sharey=True, squeeze=False
    )
    places = range(len(machines))
    for panel, (heading, times) in zip(axes[0], panels.items()):
        looks = style.of(times)
        for method, values in times.items():
            panel.plot(values, places, **{**style.line(looks[method]), "linestyle": ""})
        (_, baseline), *_, (best, last) = times.items()
        for place in places:
            panel.annotate(
                f"{last[place]:.0f} µs ({baseline[place] / last[place]:.2f}×)",
                (1, place),
                xycoords=panel.get_yaxis_transform(),
                va="center",
                fontsize=7.5,
                color=looks[best].colour,
            )
        panel.set(
            title=heading,
            xlabel="AllReduce (µs)",
            xlim=(0, None),
            yticks=list(places),
            yticklabels=[WORDS.get(name, name) for name in machines],
        )
    axes[0][0].invert_yaxis()  # all, for they share it
    figure.suptitle(title)
    style.legend_below(
        figure, style.handles({name: style.Look(look.colour, look.marker, width=0) for name, look in looks.items()})
    )
    return figure
