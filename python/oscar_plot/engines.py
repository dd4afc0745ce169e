"""AllReduce time against the area of the engine: the front of each coder, a panel per link."""

from matplotlib import pyplot

from oscar_plot import style

PLAIN = "fixed_point"  # whose engine has no coder: a line at its time
CEILING = 1.15  # panels end at so much of its time: what is slower is of no use


def front(rows):
    """Of the rows those than which no other is as small and faster, by area."""
    found = []
    for row in sorted(rows, key=lambda row: (row["engine_area_um2"], row["allreduce_us"])):
        if not found or row["allreduce_us"] < found[-1]["allreduce_us"]:
            found.append(row)
    return found


def figure_of(rows):
    """`rows`: of engines.csv of results/design-space; those without an area are left out."""
    priced = [row for row in rows if row["engine_area_um2"] is not None]
    panels = list(dict.fromkeys((row["technology"], row["link"]) for row in priced))
    looks = style.of(dict.fromkeys(row["method"] for row in priced if row["coder"] != "uncoded"))
    figure, axes = pyplot.subplots(1, len(panels), figsize=(3.7 * len(panels), 3.6), squeeze=False)
    for panel, (technology, link) in zip(axes[0], panels):
        here = [row for row in priced if (row["technology"], row["link"]) == (technology, link)]
        for method, look in looks.items():
            points = front([row for row in here if row["method"] == method])
            panel.plot(
                [row["engine_area_um2"] / 1e6 for row in points],
                [row["allreduce_us"] for row in points],
                **style.line(look),
            )
        plain = min(row["allreduce_us"] for row in here if row["method"] == PLAIN)
        style.reference(panel, plain, f"{PLAIN}, without a coder")
        panel.set(title=f"{technology}, {link.removesuffix('Gbps')} Gbit/s", xlabel="engine (mm², derated)")
        panel.set_xlim(left=0)
        panel.set_ylim(0, CEILING * plain)
    axes[0][0].set_ylabel("AllReduce of 25 MiB (µs)")
    figure.suptitle("The fastest engines of each area: 8 ranks, codes made by the GPU; means of three windows")
    style.legend_below(figure, style.handles(looks))
    return figure
