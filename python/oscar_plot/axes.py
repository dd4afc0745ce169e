"""The axes of a sweep as a figure needs them."""

from dataclasses import dataclass

from oscar_plot import quantity

# Of swept keys the words of a label; another key stands for itself.
WORDS = {
    "network.link.bandwidth": "link",
    "network.link.propagation": "propagation",
    "quantiser.bits": "bits of a code",
    "quantiser.percentile": "percentile",
    "gpu.dma_bandwidth": "DMA",
    "engine.lanes": "lanes",
    "engine.clock": "clock of the engine",
    "collective.kind": "collective",
    "collective.issue": "issue",
    "collective.slices": "slices",
    "gpu.gradients": "gradients in GPU memory",
}


@dataclass(frozen=True)
class Axis:
    """Keys that vary together (one, or those of a zip), and their values in the order of the sweep, a tuple each."""

    keys: tuple
    values: tuple

    def middle(self):
        """The value at which other axes are looked at."""
        return self.values[(len(self.values) - 1) // 2]

    def numbers(self):
        """(numbers, spelling of the unit) of the first key, or None if its values are no quantities."""
        return quantity.in_common_unit([value[0] for value in self.values])

    def label(self):
        numbers = self.numbers()
        return ", ".join(map(in_words, self.keys)) + (f" ({numbers[1]})" if numbers and numbers[1] else "")

    def places(self, frame):
        """Of each row the number of its value, or its place among the values that are none."""
        places = self.numbers()[0] if self.numbers() else range(len(self.values))
        return frame[self.keys[0]].map(dict(zip((value[0] for value in self.values), places)))


def in_words(key):
    return WORDS.get(key, key)


def text(axis, value):
    return ", ".join(f"{in_words(key)} {quantity.spelled(part)}" for key, part in zip(axis.keys, value))


def find(sweep):
    """The axes that vary. Keys whose values determine each other are one axis."""
    axes = []
    for key in sweep.keys:
        if sweep.frame[key].nunique() < 2:
            continue
        partner = next((keys for keys in axes if _determine_each_other(sweep.frame, keys[0], key)), None)
        if partner is None:
            axes.append([key])
        else:
            partner.append(key)
    return [
        Axis(tuple(keys), tuple(sweep.frame[keys].drop_duplicates().itertuples(index=False, name=None)))
        for keys in axes
    ]


def _determine_each_other(frame, a, b):
    return len(frame[[a, b]].drop_duplicates()) == frame[a].nunique() == frame[b].nunique()


def along(frame, varied, axes):
    """The rows that vary along `varied` only, an axis or several: all others at their middle values. Also those values
    as a text."""
    kept = (varied,) if isinstance(varied, Axis) else tuple(varied)
    others = [(other, other.middle()) for other in axes if other not in kept]
    for other, value in others:
        frame = frame[frame[other.keys[0]] == value[0]]
    return frame, ", ".join(text(other, value) for other, value in others)
