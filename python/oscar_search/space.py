"""The grid of a sweep file as a space to search: its axes, and a point as settings of `oscar-sim run`."""

from decimal import Decimal, InvalidOperation
from pathlib import Path

import yaml

from oscar_summary import command, user_file


MAGNITUDE = 30  # decimal exponent of the numbers of a range


class Space:
    """`axes`: of each axis its alternatives, maps of dotted keys to values; `base` and `fixed` as the file says."""

    def __init__(self, path):
        self.path = Path(path)
        document = user_file.yaml_in(self.path, "a sweep file")
        if not isinstance(document, dict) or "base" not in document or not _is_filled_list(document.get("axes")):
            raise command.InputError(f"{path}: has no base and axes; write a sweep file")
        self.base, self.fixed = document["base"], document.get("set") or {}
        if not isinstance(self.base, (str, dict)):
            raise command.InputError(f"{path}: base is no name and no map; write it like base: demo")
        if not isinstance(self.fixed, dict) or not all(isinstance(key, str) for key in self.fixed):
            raise command.InputError(f"{path}: set is no map of keys; write it like {{ranks: 8}}")
        self.axes = [self._axis(axis, f"axes.{i}") for i, axis in enumerate(document["axes"])]

    def _axis(self, axis, place):
        if not isinstance(axis, dict):
            raise command.InputError(f"{self.path}: {place}: is no map; write {{key: ranks, values: [4, 8]}}")
        if "zip" in axis:
            if not _is_filled_list(axis["zip"]):
                raise command.InputError(f"{self.path}: {place}.zip: is no list of axes; write [{{key, values}}, ...]")
            parts = [self._axis(part, f"{place}.zip.{i}") for i, part in enumerate(axis["zip"])]
            if len({len(part) for part in parts}) != 1:
                raise command.InputError(
                    f"{self.path}: {place}.zip: its lists differ in length; make them equally long"
                )
            return [{key: value for one in group for key, value in one.items()} for group in zip(*parts)]
        has_values = _is_filled_list(axis.get("values")) or isinstance(axis.get("range"), dict)
        if not isinstance(axis.get("key"), str) or not has_values:
            raise command.InputError(
                f"{self.path}: {place}: needs key, and values or range; write {{key: ranks, values: [4, 8]}}"
            )
        values = axis.get("values") or self._range(axis["range"], f"{place}.range")
        return [{axis["key"]: value} for value in values]

    def _range(self, span, place):
        """As the program has ranges: exact decimals of one unit."""
        try:
            begin, unit = _split(span["from"])
            end, last_unit = _split(span["to"])
            by, by_unit = _split(span.get("step", span.get("factor")))
        except (KeyError, TypeError, InvalidOperation):
            raise command.InputError(f"{self.path}: {place}: write it like {{from: 4, to: 16, step: 4}}") from None
        multiplied = "factor" in span
        units = {unit, last_unit} | (set() if multiplied else {by_unit})
        if max(abs(number.adjusted()) for number in (begin, end, by)) > MAGNITUDE:
            raise command.InputError(f"{self.path}: {place}: has a number beyond 10^{MAGNITUDE}; write smaller ones")
        if len(units) != 1 or begin > end or by <= (1 if multiplied else 0) or (multiplied and begin <= 0):
            raise command.InputError(
                f"{self.path}: {place}: is no ascending range of one unit; write {{from, to, step}}"
            )
        values = []
        while begin <= end and len(values) < 10_000:
            values.append(f"{begin.normalize():f}{unit}" if unit else _plain(begin))
            begin = begin * by if multiplied else begin + by
        return values

    def settings(self, choice):
        """Dotted keys and values of a point: one alternative of each axis, by number."""
        point = dict(self.fixed)
        for alternatives, number in zip(self.axes, choice):
            point.update(alternatives[number])
        return point


def _is_filled_list(value):
    return isinstance(value, list) and bool(value)


def _plain(number):
    return int(number) if number == number.to_integral_value() else float(number)


def _split(text):
    """Number and unit of a quantity."""
    text = str(text)
    digits = text.rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZµ")
    return Decimal(digits), text[len(digits) :]


def as_text(value):
    """A value as YAML in one line."""
    return yaml.safe_dump(value, default_flow_style=True, width=1 << 20).removesuffix("\n...\n").strip()
