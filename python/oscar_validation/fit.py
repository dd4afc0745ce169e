"""Two figures of a machine, launch and bandwidth, from measured times.

A predictor gives, per size, candidates of a fixed time (s) and of bytes that
are carried; the machine takes the fastest of launch + fixed + bytes / bandwidth.
The alpha-beta line is the same with one candidate: no fixed time, the gradient's
bytes. Both are fitted alike: the least mean of |relative error|.

The minimum is a kink, before which scipy.optimize.minimize_scalar stops in the seventh digit that a machine's file
holds; hence a grid that narrows.
"""

from dataclasses import dataclass

import numpy


@dataclass(frozen=True)
class Fit:
    launch: float  # s
    bandwidth: float  # B/s


class Candidates:
    """fixed (s) and carried (B): arrays of shape [sizes, candidates]."""

    def __init__(self, fixed, carried):
        self.fixed, self.carried = numpy.asarray(fixed, float), numpy.asarray(carried, float)

    @classmethod
    def line(cls, sizes):
        return cls(numpy.zeros((len(sizes), 1)), numpy.asarray(sizes, float)[:, None])

    @classmethod
    def of(cls, prediction):
        """Those of a prediction.json."""
        rows = [row["candidates"] for row in prediction["predictions"]]
        return cls(
            [[c["fixed_ps"] * 1e-12 for c in row] for row in rows], [[c["carried_bytes"] for c in row] for row in rows]
        )

    def at(self, chosen):
        return Candidates(self.fixed[chosen], self.carried[chosen])

    def without_launch(self, bandwidth):
        return (self.fixed + self.carried / bandwidth).min(axis=1)

    def times(self, fit):
        """Per size, s."""
        return fit.launch + self.without_launch(fit.bandwidth)


def relative_errors(times, measured):
    return numpy.abs(times - measured) / measured


def best_launch(rest, measured):
    """Launch >= 0 of least mean |launch + rest - measured| / measured: a median of the differences,
    weighted by 1/measured."""
    order = numpy.argsort(measured - rest)
    weights = numpy.cumsum(1 / measured[order])
    return max(0.0, (measured - rest)[order][numpy.searchsorted(weights, weights[-1] / 2)])


def fit(candidates, measured, rounds=4, points=400):
    """The Fit of least mean |relative error|; bandwidths from 10 MB/s to 10 TB/s,
    each round 100 times as fine as the one before."""

    def error(bandwidth):
        rest = candidates.without_launch(bandwidth)
        return relative_errors(best_launch(rest, measured) + rest, measured).mean()

    low, high = 1e7, 1e13
    for _ in range(rounds):
        grid = numpy.geomspace(low, high, points)
        best = int(numpy.argmin([error(bandwidth) for bandwidth in grid]))
        low, high = grid[max(best - 2, 0)], grid[min(best + 2, points - 1)]
    return Fit(best_launch(candidates.without_launch(grid[best]), measured), grid[best])


def left_out_error(candidates, measured):
    """Mean |relative error| of each size under the fit of all others."""
    errors = []
    for i in range(len(measured)):
        others = numpy.arange(len(measured)) != i
        fitted = fit(candidates.at(others), measured[others])
        errors.append(relative_errors(candidates.at([i]).times(fitted), measured[[i]])[0])
    return float(numpy.mean(errors))
