"""GraVAC against static factors, and OSCAR-SW against Count Sketch, out of the records of one configuration."""

import math
import statistics

from . import AFTER_ALL_STEPS

STATIC = ("top_k", "random_k", "dgc", "dgc_lite", "redsync", "redsync_trimmed", "sidco", "power_sgd")

WINDOW = 3  # evaluations whose mean is a quality: one evaluation alone is noisy


def gravac(methods, target, measures):
    """Lines about how much sooner GraVAC is at `target` than the best static factor; none without it.

    `methods`: {name: records}; `measures`: of summary.Measures.
    """
    controllers = {name: runs for name, runs in methods.items() if runs[0]["kind"] == "gravac"}
    statics = {name: runs for name, runs in methods.items() if runs[0]["kind"] in STATIC}
    if not controllers or not statics or target is None:
        return []
    times = {name: measures.time_to(runs, target) for name, runs in statics.items()}
    reach = {name: time for name, time in times.items() if time is not None}
    best = min(reach, key=reach.get) if reach else None
    lines = [
        "\n**GraVAC and static factors.** "
        + (
            f"Of the static ones {', '.join(reach)} come to the target, {best} first: in {reach[best]:.2f} s."
            if best
            else "No static factor comes to the target."
        )
        + " GraVAC sends a factor only while its gain, the share of the energy of gradient + residual that it keeps, "
        "is at least epsilon."
    ]
    for name, runs in controllers.items():
        own = measures.time_to(runs, target)
        what = f"{name}: {time_in_words(runs, own)}{'' if own is None else ' s'}"
        alike = [
            n for n in reach if statics[n][0]["kind"] == runs[0]["parameters"]["compressor"]
        ]  # factors of its own compressor
        for other in dict.fromkeys([*([best] if best else []), *([min(alike, key=reach.get)] if alike else [])]):
            if own is not None:
                what += f", {reach[other] / own:.2f} times as fast as {other}"
        lines.append(f"{what}; its factors: {_history(runs)}{_gains(runs)}.")
    lines += _accordions(methods, controllers, measures)
    steps = {name: measures.seconds_per_step(runs) for name, runs in {**statics, **controllers}.items()}
    quickest = min(statics, key=steps.get)
    lines.append(
        f"A step takes {1e3 * steps[quickest]:.2f} ms with {quickest}"
        + (
            f" and {1e3 * steps[best]:.2f} with {best}: no controller can be more than "
            f"{steps[best] / steps[quickest]:.2f} times as fast as that."
            if best
            else "."
        )
    )
    return lines


def _accordions(methods, gravacs, measures):
    """A line for each Accordion: how it does against GraVAC, which its paper has 1.94 to 5.63 times as fast."""
    lines = []
    for name, runs in methods.items():
        if runs[0]["kind"] == "accordion":
            times = {other: measures.times_at_equal_quality(rival, runs) for other, rival in gravacs.items()}
            lines.append(
                f"{name} against GraVAC at equal quality: "
                + ", ".join(
                    f"{factor(theirs, own)} times as fast as {other} ({_seconds(own)} s to {_seconds(theirs)})"
                    for other, (theirs, own) in times.items()
                )
                + "."
            )
    return lines


def _history(runs):
    """Shares of steps by factor, over all runs."""
    counts = {}
    for run in runs:
        for factor, count in run["factors"].items():
            counts[float(factor)] = counts.get(float(factor), 0) + count
    total = sum(counts.values())
    return (
        ", ".join(f"{factor:g}x in {100 * count / total:.0f} %" for factor, count in sorted(counts.items()))
        if total
        else "none"
    )


def _gains(runs):
    """Of each factor that was tried, the mean over all runs of what it would have kept."""
    found = {}
    for run in runs:
        for factor, gain in run.get("gains", {}).items():
            found.setdefault(float(factor), []).append(gain)
    return (
        "; mean gains: "
        + ", ".join(f"{factor:g}x {statistics.fmean(gain):.2f}" for factor, gain in sorted(found.items()))
        if found
        else ""
    )


def oscar_sw(methods, measures):
    """A table of OSCAR-SW against Count Sketch at equal bytes and at equal quality, none unless both are there;
    and against each LHC at equal quality."""
    ours, theirs = (
        {name: runs for name, runs in methods.items() if runs[0]["kind"] == kind and any(r["rows"] for r in runs)}
        for kind in ("oscar_sw", "count_sketch")
    )
    theirs = {name: runs for name, runs in theirs.items() if any(r["ended"] == AFTER_ALL_STEPS for r in runs)}
    if not ours or not theirs:
        return []
    others = {name: runs for name, runs in methods.items() if runs[0]["kind"] == "lhc" and any(r["rows"] for r in runs)}
    lines = [
        "\n**OSCAR-SW and Count Sketch.** *At equal bytes*: Count Sketch's quality between the neighbours by bytes "
        "(over their logarithm); none where OSCAR-SW sends more or fewer bytes than every Count Sketch that came to an "
        "end. *At equal quality*: simulated seconds of each, the Count Sketch nearest by bytes, to the lower of both's "
        "final qualities less a standard deviation.\n",
        "| "
        + " | ".join(
            [
                "method",
                "MiB",
                "quality",
                "Count Sketch at equal bytes",
                "better by",
                "nearest",
                "s to equal quality",
                "s of Count Sketch",
                "x",
                *(f"x {name}" for name in others),
            ]
        )
        + " |",
        "|---" * (9 + len(others)) + "|",
    ]
    known = sorted((measures.payload(runs), measures.quality(runs), name) for name, runs in theirs.items())
    for name, runs in ours.items():
        payload, quality = measures.payload(runs), measures.quality(runs)
        expected = _between(known, payload)
        nearest = min(known, key=lambda point: abs(math.log(point[0] / payload)))
        other, own = measures.times_at_equal_quality(theirs[nearest[2]], runs)
        lines.append(
            f"| {name} | {payload / 2**20:.2f} | {quality:.4f} | "
            + ("- | - | " if expected is None else f"{expected:.4f} | {measures.better_by(quality, expected):+.4f} | ")
            + f"{nearest[2]} | {_seconds(own)} | {_seconds(other)} | {factor(other, own)} |"
            + "".join(f" {factor(*measures.times_at_equal_quality(rival, runs))} |" for rival in others.values())
        )
    return lines


def factor(theirs, own):
    """How often `own` seconds go into `theirs`."""
    return f"{theirs / own:.2f}" if own and theirs else "-"


def time_in_words(runs, seconds):
    """Seconds, or why there are none: the target was never reached, or no training has evaluations enough to tell."""
    if seconds is not None:
        return f"{seconds:.2f}"
    return "never" if any(len(run["rows"]) >= WINDOW for run in runs) else "too few evaluations"


def _seconds(value):
    return "never" if value is None else f"{value:.2f}"


def _between(points, payload):
    """Quality at `payload` bytes, None beyond all points; points: (payload, quality, name), ascending."""
    for (low, at_low, _), (high, at_high, _) in zip(points, [*points[1:], points[-1]]):
        if low <= payload <= high:
            share = math.log(payload / low) / math.log(high / low) if high > low else 0.0
            return at_low + share * (at_high - at_low)
    return None


class Measures:
    """What records say, where more is better (`rising`) or less. `chance`: the quality of what has learned nothing."""

    def __init__(self, rising, chance, quality, target_of, time_to):
        self.rising, self._chance, self._quality, self._target_of, self._time_to = (
            rising,
            chance,
            quality,
            target_of,
            time_to,
        )

    def quality(self, runs):
        return statistics.fmean(self.final(runs))

    def final(self, runs):
        """The quality of each training that came to an evaluation."""
        return [self._quality(run) for run in runs if run["rows"]]

    def reached(self, runs):
        """The quality less a standard deviation of the seeds."""
        return self._target_of(runs, self.rising)

    def time_to(self, runs, target):
        return self._time_to(runs, target, self.rising)

    def times_at_equal_quality(self, a, b):
        """Seconds of each to what the worse of them reached;
        (None, None) unless both are clearly better than chance."""
        if not self._are_clear(a, b):
            return None, None
        equal = self.worse(*(self.reached([run for run in runs if run["rows"]]) for runs in (a, b)))
        return self.time_to(a, equal), self.time_to(b, equal)

    def _are_clear(self, *methods):
        """Whether the mean quality of each is better than chance by three standard deviations of its seeds and by a
        tenth of what the best of them is."""
        qualities = [[self.better_by(quality, self._chance) for quality in self.final(runs)] for runs in methods]
        least = max(statistics.fmean(of_seeds) for of_seeds in qualities) / 10
        return all(
            statistics.fmean(of_seeds) > max(least, 3 * (statistics.stdev(of_seeds) if len(of_seeds) > 1 else 0))
            for of_seeds in qualities
        )

    @staticmethod
    def payload(runs):
        return statistics.median(run["rows"][-1]["payload_bytes"] for run in runs if run["rows"])

    @staticmethod
    def seconds_per_step(runs):
        return statistics.median(run["rows"][-1]["seconds"] / run["rows"][-1]["step"] for run in runs if run["rows"])

    def better_by(self, ours, theirs):
        return ours - theirs if self.rising else theirs - ours  # no -0.0 of equal ones

    def worse(self, a, b):
        return min(a, b) if self.rising else max(a, b)
