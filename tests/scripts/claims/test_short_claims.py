"""Every number that the "In short" of results/where-it-pays claims is recomputed from the recorded figures, or by
a run where a line names a setting that no file has.

Run: /usr/bin/python3 -m unittest tests/scripts/claims/test_short_claims.py
"""

import re
import unittest

from tests.scripts.claims import claims
from tests.scripts.claims.claims import section
from tests.scripts.claims.found import wins
from tests.scripts.claims.measured import added_by_second_bank, loading, second_bank
from tests.scripts.claims.recorded import (
    BEST,
    at,
    bits,
    error,
    faster,
    limiter,
    point,
    ranks,
    switched,
)
from oscar_summary import causes, pays, tables  # noqa: E402


class Short(unittest.TestCase):
    """The "In short" of results/where-it-pays/SUMMARY.md."""

    NUMBER = r"(\d+(?:\.\d+)?(?:e-\d+)?)"
    NUMBERS = rf"{NUMBER}(?: \({NUMBER}-{NUMBER}\))?"

    def machine(self, line):
        """method -> rows on the machine that a line is about."""
        link, count = re.search(r"At (\d+) Gbit/s", line)[1], int(re.search(r"(\d+) ranks", line)[1])
        if count != 8:
            self.assertEqual(link, "400")
            return lambda method: ranks(count, method)
        if "`engine.table_load: 0`" in line:
            return lambda method: second_bank(link, method)
        if "without classes" in line:
            return lambda method: loading(link, method)
        if "the plain machine" in line:
            return lambda method: point(
                "where-it-pays-ablation", method, experiment="plain", network__link__bandwidth=f"{link}Gbps"
            )
        if "pays over" in line or "of the critical path" in line:
            form, bus = re.search(r"8 ranks, (.*?), ((?:PCIe|NVLink).*?), `", line).groups()
            keys = {
                "gpu__gradients": {words: form for form, words in pays.names(pays.FORM).items()}[form],
                "gpu__dma_bandwidth": {words: bus for bus, words in pays.names(pays.DMA).items()}[bus],
            }
            return lambda method: point(
                "where-it-pays", method, scale=16, network__link__bandwidth=f"{link}Gbps", **keys
            )
        return lambda method: at(link, method)

    def same(self, found, values, digits):
        """Whether mean, least and most as written are those of the values."""
        mean, least, most = found
        write = digits if callable(digits) else lambda value: f"{value:.{digits}f}"
        whole = list(map(write, values))
        self.assertEqual([mean, least or mean, most or mean], whole if least else [whole[1]] * 3)
        self.assertEqual(bool(least), whole[1] != whole[2])

    def check(self, line):
        """Compares each number of a line with the recorded figures; gives the line without what was compared."""
        of = self.machine(line)
        best = of(re.search(r"`([\w-]+)`", re.split(r"pays over `\w+`", line)[-1])[1])
        for found in re.finditer(self.NUMBERS + r" times as fast as `([\w-]+)`", line):
            self.same(found.groups()[:3], faster(best, of(found[4])), 2)
        self.same(re.search(r"an error of " + self.NUMBERS, line).groups(), error(best), tables.small)
        if " bits a value" in line:
            self.same(re.search(r" and " + self.NUMBERS + r" bits a value", line).groups(), bits(best), 2)
        self.assertIn(f"limited by {limiter(best)}", line)
        for found in re.finditer(
            self.NUMBERS + r" times as fast as a switch that adds uncoded integers in (\d+) slices: it ([^;]*);", line
        ):
            added = switched(re.search(r"At (\d+) Gbit/s", line)[1])
            self.same(found.groups()[:3], faster(best, added), 2)
            self.assertEqual(
                (int(found[4]), found[5]), (next(iter(added.values()))["collective.slices"], wins(faster(best, added)))
            )
            self.assertIn(f"the switch by {limiter(added)}.", line)
        for found in re.finditer(r"the remaining factor of " + self.NUMBERS + r"\.$", line):
            self.same(found.groups(), faster(of(BEST), best), 2)
        for found in re.finditer(r"\((\d+) % of the critical path\)", line):
            self.assertEqual(found[1], f"{100 * max(causes.shares(list(best.values())).values()):.0f}")
        return re.sub(
            rf"{self.NUMBERS} (?:times as fast|bits a value)|error of {self.NUMBERS}|factor of {self.NUMBERS}|\d+ % of|"
            r"\d+ Gbit/s|\d+ ranks|25 MiB|in \d+ slices|128 lanes|\(1024 lanes\)|PCIe \d x16|NVLink-C2C",
            "",
            claims.without_names(line),
        )

    def lines(self):
        return [
            line
            for line in section("results/where-it-pays/SUMMARY.md", "In short").splitlines()
            if line.startswith("* ")
        ]

    def test_every_number_is_that_of_the_recorded_figures(self):
        self.assertGreater(len(self.lines()), 15)
        for line in self.lines():
            with self.subTest(line[:120]):
                self.assertIsNone(re.search(r"\d", self.check(line)), self.check(line))

    def test_the_area_of_a_second_bank_of_tables_is_that_of_the_report(self):
        one, each = (f"{100 * added_by_second_bank(arrays):.2f} %" for arrays in (1, 16))
        self.assertRegex(
            " ".join(section("results/where-it-pays/SUMMARY.md", "In short").split()),
            rf"add {one} to the area of an engine of `rans-classes`, .*, or {each} with a set in each of its 16 "
            r"arrays\.",
        )

    def test_a_change_of_any_ratio_or_error_is_noticed(self):
        for line in self.lines()[:8]:
            for number in re.finditer(r"\d\.\d+", line):
                other = line[: number.end() - 1] + str((int(line[number.end() - 1]) + 4) % 10) + line[number.end() :]
                with self.assertRaises(AssertionError, msg=other):
                    self.check(other)


if __name__ == "__main__":
    unittest.main()
