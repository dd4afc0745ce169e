"""Figures of the real machines: measured times on top of the alpha-beta line, the tuner and the simulated machine."""

import numpy
from matplotlib import pyplot, ticker

from oscar_plot import style

MEASURED = "measured"
OUTLIER = 1.5  # times as long as the next larger size took
UNITS = ("B", "KiB", "MiB", "GiB")


def bus_bandwidth(sizes, times, ranks):
    """GB/s of an AllReduce as nccl-tests count it: what links would carry at the least; sizes in bytes, times in s."""
    return 2 * (ranks - 1) / ranks * sizes / times / 1e9


def size_text(size):
    """A power of two in bytes, with a binary prefix."""
    prefix = int(numpy.log2(size)) // 10
    return f"{size / 1024**prefix:g} {UNITS[prefix]}"


def outliers(machine):
    """Places of sizes that took far longer than the next larger one."""
    return [i for i, (time, after) in enumerate(zip(machine.measured, machine.measured[1:])) if time > OUTLIER * after]


def draw(machine, curves, ranks, bars, folder):
    """Writes the figure and gives its paths; `curves`: name -> s per size; `bars`:
    (words, (least, most) size, mean error) each."""
    return style.save(figure_of(machine, curves, ranks, bars), folder, machine.config.removesuffix(".yaml"))


def figure_of(machine, curves, ranks, bars):
    """Bus bandwidth over sizes, and the errors of the times below."""
    figure, (speeds, errors) = pyplot.subplots(2, 1, figsize=(7, 6), sharex=True, height_ratios=(3, 2))
    for name, look in reversed(style.of(curves).items()):  # what is simulated hides nothing
        speeds.plot(machine.sizes, bus_bandwidth(machine.sizes, curves[name], ranks), label=name, **style.line(look))
        errors.plot(machine.sizes, 100 * (curves[name] / machine.measured - 1), **style.line(look))
    measured = bus_bandwidth(machine.sizes, machine.measured, ranks)
    speeds.plot(
        machine.sizes, measured, "o", color="black", markerfacecolor="black", markersize=5, label=MEASURED, zorder=10
    )
    for place in outliers(machine):
        words = " µs, ".join(
            f"{size_text(machine.sizes[i])} {1e6 * machine.measured[i]:.0f}" for i in (place, place + 1)
        )
        speeds.annotate(
            f"outlier ({words} µs)",
            (machine.sizes[place], measured[place]),
            xytext=(8, -10),
            textcoords="offset points",
            fontsize=7.5,
            color=style.TEXT,
        )
    _mark_ends(errors, machine.sizes, curves)
    _shade(errors, machine.sizes, bars)
    _dress(figure, speeds, errors, machine)
    figure.suptitle(f"fp32 AllReduce, {machine.name}, {ranks} ranks: {machine.source}")
    return figure


def _mark_ends(panel, sizes, curves):
    """Says where a curve stops before the last size."""
    for name, curve in curves.items():
        last = sizes[numpy.isfinite(curve)].max()
        if last < sizes.max():
            style.reference(panel, last, f"{name} up to {size_text(last)}", vertical=True)


def _shade(panel, sizes, bars):
    """The mean error that is allowed over a range of sizes."""
    for words, (least, most), bar in bars:
        ends = max(least, sizes.min()), min(most, sizes.max())
        panel.fill_between(ends, -100 * bar, 100 * bar, color=style.GREY, alpha=0.3, linewidth=0)
        panel.annotate(
            f"allowed mean error ±{bar:.0%}",
            (ends[1], -100 * bar),
            xytext=(-2, -2),
            textcoords="offset points",
            ha="right",
            va="top",
            fontsize=7.5,
            color=style.TEXT,
            path_effects=style.HALO,
        )  # below, where no end of a curve is named


def _dress(figure, speeds, errors, machine):
    speeds.set_xscale("log", base=2)
    speeds.set_yscale("log")
    style.plain_log(speeds.yaxis)
    errors.xaxis.set_major_locator(
        ticker.FixedLocator([size for size in machine.sizes if int(numpy.log2(size)) % 5 == 0])
    )
    errors.xaxis.set_major_formatter(ticker.FuncFormatter(lambda size, _: size_text(size)))
    errors.xaxis.set_minor_locator(ticker.NullLocator())
    errors.axhline(0, color="black", linewidth=0.8)
    speeds.set_ylabel("bus bandwidth (GB/s)")
    errors.set_ylabel("error of the time (%)")
    errors.set_xlabel("gradient of a rank")
    speeds.legend(*(entries[::-1] for entries in speeds.get_legend_handles_labels()), loc="lower right")
