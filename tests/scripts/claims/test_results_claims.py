"""Every number that docs/results.md claims is recomputed from the recorded figures: a number that no formula gives
fails, and so does one that its formula gives otherwise.

Run: /usr/bin/python3 -m unittest tests/scripts/claims/test_results_claims.py
"""

import unittest

import yaml

from tests.scripts.claims import claims
from tests.scripts.claims.claims import claim
from tests.scripts.claims.found import found, ratios
from tests.scripts.claims.recorded import (
    ALLREDUCE,
    BEST,
    LINK,
    OTHERS,
    ROOT,
    STEP,
    bits,
    bucket,
    engine,
    error,
    exposed,
    faster,
    limiter,
    quantised,
    spread,
    table,
)
from oscar_summary import records, where  # noqa: E402


def training(workload, method, column, file="methods", **rest):
    """A number of a CSV file of results/training."""
    rows = where(records.read(ROOT / f"results/training/{file}.csv")[1], training=workload, method=method)
    return next(row for row in rows if all(row[key].startswith(value) for key, value in rest.items()))[column]


def of_training():
    """What docs/results.md says of trainings."""

    def on_each(method):
        return [training(model, method, "x_equal") for model in ("lenet-fmnist", "gpt-kjv", "lstm-kjv")]

    packed, sketch, split = (
        training("lenet-fmnist", f"oscar-sw {method} bit", "x_equal")
        for method in ("packed 5", "sketch 4", "packed 20")
    )
    settings = yaml.safe_load((ROOT / "configs/training/lenet-fmnist.yaml").read_text(encoding="utf-8"))
    sizes = [
        round(yaml.safe_load((ROOT / f"traces/{model}/trace.yaml").read_text(encoding="utf-8"))["parameters"], -3)
        for model in ("lenet-fmnist", "gpt-kjv")
    ]
    return [
        claim(
            "What follows has # ranks in a ring, links of # Gbit/s and some # to # values, each of which stands for #",
            8,
            float(settings["machine"]["network"]["link"]["bandwidth"].removesuffix("Gbps")),
            *sizes,
            settings["machine"]["scale"],
        ),
        claim(
            "reaches equal quality #, # and # times as fast as dense (uncompressed) training on LeNet, a small GPT and "
            "an LSTM, uncoded integers #, # and # times (of the same quality, because the coder is lossless), and bf16 "
            "#, # and # times",
            *on_each(BEST),
            *on_each("fixed point"),
            *on_each("bf16"),
        ),
        claim(
            "reaches equal quality # times as fast as dense training on LeNet with # bits packed, and # times with # "
            "bits in a sketch; with codes of # bits it gains next to nothing (# times packed)",
            packed,
            5,
            sketch,
            4,
            20,
            split,
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
            "links (50 to 1600 Gbit/s), DMA (PCIe 5 x16 with 256 lanes, PCIe 6 x16 with 512, "
            "NVLink-C2C with 1024), codes or fp32 in "
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


ENGINES = (
    "co-design",
    "ideal, 128 lanes at 1 GHz",
    "2 streams, 128 lanes at 442 MHz",
    "binary search",
    "tables in 16 cycles",
    "tables in 64 cycles",
    "planning exposed",
)


def of_engine():
    """What docs/results.md says of other engines: a line of its table each, and rANS."""
    found = []
    for name in ENGINES:
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
    rans = [faster(engine(name, "rans-classes"), engine(name, "fp32"))[0] for name in ENGINES]
    return [
        claim("In each line 25 MiB, 8 ranks, 400 Gbit/s"),
        *found,
        claim(
            "rANS itself is # to # times as fast as fp32 in these lines (25 MiB, 8 ranks, 400 Gbit/s, the same error), "
            f"limited by {limiter(engine('co-design', 'rans-classes'))}",
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


if __name__ == "__main__":
    unittest.main()
