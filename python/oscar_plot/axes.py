"""The axes of a sweep as a figure needs them."""

from dataclasses import dataclass

from oscar_plot import quantity


@dataclass(frozen=True)
class Axis:
    """Keys that vary together (one, or those of a zip), and their values in the order of the sweep, a tuple each."""
    keys: tuple
    values: tuple

    def of(self, row):
        return tuple(row.axes[key] for key in self.keys)

    def middle(self):
        """The value at which other axes are looked at."""
        return self.values[(len(self.values) - 1) // 2]

    def numbers(self):
        """(numbers, spelling of the unit) of the first key, or None if its values are no quantities."""
        return quantity.in_common_unit([value[0] for value in self.values])

    def label(self):
        numbers = self.numbers()
        return ", ".join(self.keys) + (f" ({numbers[1]})" if numbers and numbers[1] else "")


def text(axis, value):
    return ", ".join(f"{key} = {part}" for key, part in zip(axis.keys, value))


def find(rows):
    """The axes that vary. Keys whose values determine each other are one axis."""
    axes = []
    for key in rows[0].axes:
        if len({row.axes[key] for row in rows}) < 2:
            continue
        partner = next((i for i, keys in enumerate(axes) if _determine_each_other(rows, keys[0], key)), None)
        if partner is None:
            axes.append([key])
        else:
            axes[partner].append(key)
    return [Axis(tuple(keys), tuple(dict.fromkeys(tuple(row.axes[key] for key in keys) for row in rows)))
            for keys in axes]


def _determine_each_other(rows, a, b):
    pairs = {(row.axes[a], row.axes[b]) for row in rows}
    return len(pairs) == len({p[0] for p in pairs}) == len({p[1] for p in pairs})


def along(rows, axis, axes):
    """The rows that vary along `axis` only: all other axes at their middle values. Also those values as a text."""
    others = [(other, other.middle()) for other in axes if other != axis]
    chosen = [row for row in rows if all(other.of(row) == value for other, value in others)]
    return chosen, "; ".join(text(other, value) for other, value in others)
