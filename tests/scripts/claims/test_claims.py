"""Every number that README.md ("What was found"), docs/results.md and the "In short" of results/where-it-pays claim is
recomputed from the recorded figures: a number that no formula gives fails,
and so does one that its formula gives otherwise.

Run: /usr/bin/python3 -m unittest tests/scripts/claims/test_claims.py
"""

import re
import unittest

from tests.scripts.claims import claims
from tests.scripts.claims.claims import claim
from tests.scripts.claims.recorded import (
    ALLREDUCE,
    BEST,
    GPU,
    LINK,
    OTHERS,
    ROOT,
    STEP,
    at,
    bits,
    bucket,
    engine,
    error,
    exposed,
    faster,
    limiter,
    point,
    quantised,
    ranks,
    spread,
    steps,
    switched,
    table,
)
from oscar_summary import causes, pays, records, tables, where  # noqa: E402


def ratios(rows, of, *methods):
    """Text and numbers of "# (#-#) times as fast as fp32, ...": `of(method)` gives the baseline's rows."""
    parts = [f"# (#-#) times as fast as {OTHERS[method]}" for method in methods]
    return ", ".join(parts[:-1]) + " and " + parts[-1], [
        number for method in methods for number in faster(rows, of(method))
    ]


def on_ring(link):
    """A line of README's table."""
    rows = at(link)
    return claim(
        f"| {link} | {' | '.join(['# (#-#)'] * len(OTHERS))} | {limiter(rows)} |",
        *(faster(rows, at(link, method)) for method in OTHERS),
    )


def wins(ratio):
    """What a mean, a least and a most ratio say, in words."""
    mean, least, most = ratio
    word = "wins" if mean > 1 else "loses"
    return word if least > 1 or most < 1 else f"{word} on the mean, not on each window"


def on_switch(link):
    rows, added = at(link), switched(link)
    ratio = faster(rows, added)
    return claim(
        f"at {link} Gbit/s OSCAR-HW's ring is # (#-#) times as fast as a switch that adds uncoded integers in # slices "
        f"and {wins(ratio)} (25 MiB, 8 ranks, relative L2 error # (#-#) of both, the ring limited by {limiter(rows)}, "
        f"the switch by {limiter(added)})",
        ratio,
        next(iter(added.values()))["collective.slices"],
        error(rows),
    )


def with_ranks(count):
    rows = ranks(count)
    text, numbers = ratios(rows, lambda method: ranks(count, method), "fp32", "bf16", "fixed_point")
    return claim(
        f"with {count} ranks it is {text} (25 MiB, one slice, 400 Gbit/s, relative L2 error # (#-#), limited by "
        f"{limiter(rows)})",
        numbers,
        error(rows),
    )


def step(trace, link):
    """How many times as fast as with fp32 a step is with OSCAR-HW, uncoded integers and bf16."""
    of = steps(link, "fp32")[trace]["step_ps"]
    return [of / steps(link, method)[trace]["step_ps"] for method in (BEST, "fixed_point", "bf16")]


def of_step(name, trace, link, values, gpu):
    row = steps(link)[trace]
    wrong = bucket(400)[trace]["relative_l2_error"]
    return claim(
        f"a step of {name} (# million values, {gpu}, 8 ranks, relative L2 error # on one of its buckets) is at {link} "
        "Gbit/s with OSCAR-HW # times as fast as with fp32, with uncoded integers # times and with bf16 # times, "
        f"limited by {causes.limiter([row])}",
        values,
        wrong,
        step(trace, link),
    )


def found():
    """The claims of README's section, which docs/results.md repeats."""
    gains = [step(trace, 400)[0] for trace in steps(400)]
    quantiser = pays.config("experiments/co-design")["quantiser"]
    return [
        claim(
            f"stand for a bucket of 25 MiB (8 ranks at one switch, {GPU}, {quantiser.get('bits', 8)} bits a code, "
            "relative L2 error # (#-#)), is so many times as fast as",
            error(at(400)),
        ),
        *map(on_ring, (100, 200, 400, 800)),
        *map(on_switch, (200, 400)),
        *map(with_ranks, (64, 256)),
        claim("With published times of the passes and DDP buckets of 25 MiB"),
        claim("one scale at the 99.9th percentile and a DMA of 504 Gbit/s"),
        of_step("GPT-2 small", "gpt2-kjv", 25, 16 * steps(25)["gpt2-kjv"]["values"] / 1e6, "A100"),
        of_step("VGG-16", "vgg16-fmnist", 100, 16 * steps(100)["vgg16-fmnist"]["values"] / 1e6, "V100"),
        claim("(exact agreement, error feedback, one scale at the 99.9th percentile)"),
        claim("At 400 Gbit/s no step of the three models gains more than # %", 100 * (max(gains) - 1)),
    ]


def training(workload, method, column, file="methods", **rest):
    """A number of a CSV file of results/training."""
    rows = where(records.read(ROOT / f"results/training/{file}.csv")[1], training=workload, method=method)
    return next(row for row in rows if all(row[key].startswith(value) for key, value in rest.items()))[column]


WORKLOADS = ("gpt-kjv", "lenet-fmnist", "lstm-kjv")
SKETCHED = ("oscar-sw packed 5 bit", "oscar-sw packed 8 bit", "oscar-sw sketch 4 bit")


def of_training():
    """What docs/results.md says of trainings."""
    own = [training(workload, BEST, "x_equal") for workload in WORKLOADS]
    sketches = [
        training(workload, method, "x", "rivals", rival="count sketch") for workload in WORKLOADS for method in SKETCHED
    ]
    share, coded = (
        0.65,
        8 + 2.5,
    )  # of a dense step; bits of an int8 code and of the sums on the way, mean of both halves of a ring of 8
    sent = {
        method: [training(workload, method, "mib") / training(workload, "dense", "mib") for workload in WORKLOADS]
        for method in SKETCHED
    }
    return [
        claim("reaches equal quality # to # times as fast as dense (uncompressed) training", min(own), max(own)),
        claim("takes a chosen share of # of the step", share),
        claim(
            "with # bits in place of 32, LeNet's whole training would be an estimated # times as fast as dense "
            "training; with OSCAR-HW it is # times as fast",
            coded,
            1 / (1 - share + share * coded / 32),
            training("lenet-fmnist", BEST, "x_seconds"),
        ),
        claim("reaches equal quality # to # times as fast as Count Sketch", min(sketches), max(sketches)),
        claim(
            "in cells of one byte (5 bits) and two bytes (8 bits) would take # and # of the bytes of dense training, "
            "and OSCAR-SW sends # to # and # to # of them",
            1 / 4,
            2 / 4,
            *(bound(sent[method]) for method in SKETCHED[:2] for bound in (min, max)),
        ),
    ]


def over_coder(row, coders):
    return min(coder["allreduce_ps"] for coder in coders) / row["allreduce_ps"]


def of_grid():
    """What docs/results.md says of OSCAR-HW over ASC alone."""
    keys = ("scale", "trace", "gpu.gradients", "gpu.dma_bandwidth", LINK)
    by_point = {}
    for row in table("where-it-pays"):
        by_point.setdefault(tuple(row[key] for key in keys), {})[row["method"]] = row
    same = [over_coder(row[BEST], [row["asc-balanced"]]) for row in by_point.values()]
    better = [over_coder(row[BEST], [row["asc-balanced"], row["asc-equal-bits"]]) for row in by_point.values()]
    wrong = spread(row[BEST]["relative_l2_error"] for row in by_point.values())
    return [
        claim(
            "links (50 to 1600 Gbit/s), DMA (PCIe 5 and 6 x16 with 128 lanes, NVLink-C2C with 256), codes or fp32 in "
            "GPU memory, and buckets of 1.6 to 100 MiB (# points, 8 ranks, relative L2 error # (#-#), chunks of equal "
            "time for both) OSCAR-HW is # (#-#) times as fast as ASC alone, and more than 1 % slower at # of the "
            "points",
            len(same),
            wrong,
            spread(same),
            sum(ratio < 1 / 1.01 for ratio in same),
        ),
        claim(
            "Where ASC may take chunks of equal coded size instead, whichever is faster at a point, OSCAR-HW is more "
            "than 1 % slower at # of them; the least ratio is #",
            sum(ratio < 1 / 1.01 for ratio in better),
            min(better),
        ),
    ]


ASSUMPTIONS = (
    "as assumed",
    "binary search",
    "binary search, 4 streams",
    "4 streams",
    "tables in 16 cycles",
    "tables in 64 cycles",
    "planning exposed",
)


def of_engine():
    """What docs/results.md says of the assumptions on the engine: a line of its table each, and rANS."""
    found = []
    for name in ASSUMPTIONS:
        rows = engine(name)
        found.append(
            claim(
                f"| {name} | # (#-#) | # (#-#) | # (#-#) | # (#-#) | # (#-#) | {limiter(rows)} |",
                faster(rows, engine(name, "fp32")),
                faster(rows, engine(name, "fixed_point")),
                faster(rows, engine(name, "rans-classes")),
                bits(rows),
                error(rows),
            )
        )
    rans = [faster(engine(name, "rans-classes"), engine(name, "fp32"))[0] for name in ASSUMPTIONS]
    return [
        claim("In each line 25 MiB, 8 ranks, 400 Gbit/s"),
        *found,
        claim(
            "rANS itself is # to # times as fast as fp32 in these lines (25 MiB, 8 ranks, 400 Gbit/s, the same error), "
            f"limited by {limiter(engine('as assumed', 'rans-classes'))}",
            min(rans),
            max(rans),
        ),
    ]


def of_quantisers():
    """What docs/results.md says of quantisers: error, bits and speed of those with 8 bits at 200 Gbit/s."""
    found = []
    for kind in ("percentile", "per_tensor_percentile", "per_tensor", "max"):
        rows = quantised(kind, 8)
        found.append(
            claim(
                f"| `{kind}` | # (#-#) | # (#-#) | # (#-#) | # (#-#) | # (#-#) | {limiter(rows)} |",
                error(rows),
                bits(rows),
                *(faster(rows, quantised(kind, 8, method)) for method in ("fp32", "fixed_point", "rans-classes")),
            )
        )
    return [
        claim("on the windows that stand for 25 MiB"),
        claim("In each line 25 MiB, 8 ranks, 200 Gbit/s, 8 bits a code"),
        *found,
        claim("bf16 has an error of # (#-#)", error(quantised("max", 8, "bf16"))),
    ]


def of_buckets():
    """What docs/results.md says of the recorded buckets of true size."""
    parts = []
    values = [row["values"] / 1e6 for row in bucket(400).values()]
    for link in (400, 200):
        rows = bucket(link)
        text, numbers = ratios(rows, lambda method, link=link: bucket(link, method), *OTHERS)
        parts.append(
            claim(
                f"at {link} Gbit/s {text} (# to # million values, 8 ranks, relative L2 error # (#-#)), limited by "
                f"{limiter(rows)}",
                numbers,
                min(values),
                max(values),
                error(rows),
            )
        )
    return parts


def of_published():
    share = exposed(STEP, ALLREDUCE)
    return [
        claim(
            "The published # times for a step beside # times for an AllReduce imply that # % of the uncompressed step "
            "is exposed communication",
            STEP,
            ALLREDUCE,
            100 * share,
        )
    ]


def of_speed():
    """What docs/results.md says of the simulator's speed."""
    known = [row["ranks"] for row in records.read(ROOT / "results/performance/scale.csv")[1]]
    return [claim("whole runs from # to # ranks", min(known), max(known))]


def section(page, title):
    """A section of a page, without its heading."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)[1]


class Readme(unittest.TestCase):
    def test_every_number_of_what_was_found_is_that_of_the_recorded_figures(self):
        self.assertEqual(claims.mistakes(section("README.md", "What was found"), found()), [])

    def test_a_change_of_any_of_its_numbers_is_noticed(self):
        page = section("README.md", "What was found")
        known = found()
        tried = [(number, claims.mistakes(other, known)) for number, other in claims.changed(page, page)]
        self.assertGreater(len(tried), 60)
        self.assertEqual([number for number, mistakes in tried if not mistakes], [])


class Results(unittest.TestCase):
    PAGE = (ROOT / "docs/results.md").read_text(encoding="utf-8")
    CLAIMS = staticmethod(
        lambda: [
            *found(),
            *of_quantisers(),
            *of_grid(),
            *of_engine(),
            *of_buckets(),
            *of_published(),
            *of_training(),
            *of_speed(),
        ]
    )

    def test_every_number_is_that_of_the_recorded_figures(self):
        self.assertEqual(claims.mistakes(self.PAGE, self.CLAIMS()), [])

    def test_a_change_of_any_number_is_noticed(self):
        known = self.CLAIMS()
        tried = [(number, claims.mistakes(other, known)) for number, other in claims.changed(self.PAGE, self.PAGE)]
        self.assertGreater(len(tried), 150)
        self.assertEqual([number for number, mistakes in tried if not mistakes], [])

    def test_the_figure_shows_the_set_that_the_numbers_are_of(self):
        self.assertRegex(
            self.PAGE,
            r"!\[Speed-up of OSCAR-HW and of uncoded integers over fp32 against the link, on the windows that stand "
            r"for 25 MiB\]\(\.\./results/where-it-pays/speed-up\.png\)",
        )


class Sentences(unittest.TestCase):
    """A speed-up means nothing without what it is over, and of what."""

    PARTS = {
        "a baseline": r"as fast as (?:with |a switch )?`?\w",
        "an error": r"error",
        "ranks": r"\d ranks",
        "a link": r"Gbit/s",
        "a size": r"MiB|million values",
        "a limiter": r"limit(?:s|ed) by",
    }

    def lacking(self, text):
        """(sentence, what it lacks) of the sentences with a speed-up."""
        sentences = re.split(r"(?<=[.:])\s+(?=[A-Z*`])", " ".join(text.split()))
        return [
            (sentence, name)
            for sentence in sentences
            if re.search(r"\d (?:\([^)]*\) )?times as fast", sentence)
            for name, part in self.PARTS.items()
            if not re.search(part, sentence)
        ]

    def test_each_speed_up_of_the_readme_has_baseline_error_ranks_link_size_and_limiter(self):
        self.assertEqual(self.lacking(section("README.md", "What was found")), [])

    def test_so_has_each_of_the_results_on_where_it_pays_and_of_its_short_claims(self):
        self.assertEqual(self.lacking(section("docs/results.md", "Where OSCAR-HW pays")), [])
        self.assertEqual(self.lacking(section("results/where-it-pays/SUMMARY.md", "In short")), [])

    def test_a_sentence_without_one_of_them_is_noticed(self):
        whole = "At 400 Gbit/s it is 2.00 times as fast as `fp32` (25 MiB, 8 ranks, error 0.1), limited by the link."
        self.assertEqual(self.lacking(whole), [])
        for part in (" as `fp32`", "error", "8 ranks", "Gbit/s", "25 MiB", "limited by"):
            self.assertEqual(len(self.lacking(whole.replace(part, ""))), 1, part)


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
            r"\d+ Gbit/s|\d+ ranks|25 MiB|in \d+ slices|64 lanes|\(256 lanes\)|PCIe \d x16|NVLink-C2C",
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

    def test_a_change_of_any_ratio_or_error_is_noticed(self):
        for line in self.lines()[:8]:
            for number in re.finditer(r"\d\.\d+", line):
                other = line[: number.end() - 1] + str((int(line[number.end() - 1]) + 4) % 10) + line[number.end() :]
                with self.assertRaises(AssertionError, msg=other):
                    self.check(other)


if __name__ == "__main__":
    unittest.main()
