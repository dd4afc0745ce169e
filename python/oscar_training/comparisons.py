"""What records of trainings say: qualities, the time to one, bytes, and which of two is sooner at equal quality."""

import math
import statistics

WINDOW = 3  # evaluations whose mean is a quality: one evaluation alone is noisy


def qualities(record):
    """Of each evaluation the mean of it and those before it, WINDOW in all where there are as many."""
    values = [row["quality"] for row in record["rows"]]
    return [statistics.fmean(values[max(0, i + 1 - WINDOW) : i + 1]) for i in range(len(values))]


def final(runs):
    """The quality of each training that came to an evaluation: the mean of its last ones."""
    return [qualities(run)[-1] for run in runs if run["rows"]]


def deviation(values):
    return statistics.stdev(values) if len(values) > 1 else 0.0


def median_end(runs, key):
    return statistics.median(run["rows"][-1][key] for run in runs if run["rows"])


def is_rising(record):
    """Whether more of the record's metric is better."""
    return not record["metric"].startswith("nats")


def between(points, payload):
    """Quality at `payload` bytes by their logarithm; None beyond all points: (payload, quality, ...), ascending."""
    for (low, at_low, *_), (high, at_high, *_) in zip(points, [*points[1:], points[-1]]):
        if low <= payload <= high:
            share = math.log(payload / low) / math.log(high / low) if high > low else 0.0
            return at_low + share * (at_high - at_low)
    return None


class Measures:
    """Judges methods, of which each is a list of records, a seed each. More is better (`rising`) or less; `chance` is
    the quality of what has learned nothing."""

    def __init__(self, rising, chance):
        self.rising, self._chance = rising, chance

    def reached(self, runs):
        """The quality less a standard deviation of the seeds."""
        return statistics.fmean(final(runs)) - (deviation(final(runs)) if self.rising else -deviation(final(runs)))

    def time_to(self, runs, target):
        """Simulated seconds until the median seed is at the target over WINDOW evaluations; None: most never are."""
        times = sorted(filter(None, (self._first_at(run, target) for run in runs)))
        return times[len(runs) // 2] if len(times) > len(runs) // 2 else None

    def _first_at(self, run, target):
        for row, quality in list(zip(run["rows"], qualities(run)))[WINDOW - 1 :]:
            if self.better_by(quality, target) >= 0:
                return row["seconds"]
        return None

    def times_at_equal_quality(self, a, b):
        """Seconds of each to what the worse of them reached;
        (None, None) unless both are clearly better than chance."""
        if not self._are_clear(a, b):
            return None, None
        equal = (min if self.rising else max)(self.reached(a), self.reached(b))
        return self.time_to(a, equal), self.time_to(b, equal)

    def _are_clear(self, *methods):
        """Whether the mean quality of each is better than chance by three standard deviations of its seeds and by a
        tenth of what the best of them is."""
        leads = [[self.better_by(quality, self._chance) for quality in final(runs)] for runs in methods]
        least = max(map(statistics.fmean, leads)) / 10
        return all(statistics.fmean(lead) > max(least, 3 * deviation(lead)) for lead in leads)

    def better_by(self, ours, theirs):
        return ours - theirs if self.rising else theirs - ours  # no -0.0 of equal ones
