"""Figures of the real machines: measured times, the alpha-beta line, the tuner and the simulated machine."""

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402  (the backend comes first)

from oscar_plot import figures, style  # noqa: E402

pyplot.rcParams.update(style.SETTINGS)


def draw(machine, curves, folder):
    """Times over sizes, and their errors below; curves: name -> s per size. Gives the paths written."""
    looks = style.of(curves)
    figure, (times, errors) = pyplot.subplots(2, 1, figsize=(6.4, 6), sharex=True, height_ratios=(3, 2))
    times.loglog(machine.sizes, machine.measured * 1e6, "o", color="black", markersize=4, label="measured", base=10)
    for name, curve in curves.items():
        times.loglog(machine.sizes, curve * 1e6, label=name, **style.line(looks[name]))
        errors.semilogx(machine.sizes, 100 * (curve / machine.measured - 1), **style.line(looks[name]))
    errors.axhline(0, color="black", linewidth=0.8)
    times.set_ylabel("AllReduce (µs)")
    errors.set_ylabel("error (%)")
    errors.set_xlabel("gradient of a rank (bytes)")
    figure.suptitle(machine.name)
    times.legend()
    return figures.save(figure, folder, machine.config.removesuffix(".yaml"))
