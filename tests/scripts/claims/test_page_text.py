"""Figures in the text of results pages stand in their tables or are recomputed.

Those of "In short" are in test_short_claims.py.

Run: /usr/bin/python3 -m unittest tests/scripts/claims/test_page_text.py
"""

import re
import unittest

from tests.scripts.claims.recorded import (
    ALLREDUCE,
    LINK,
    RESULTS,
    ROOT,
    STEP,
    TABLES,
    bucket,
    error,
    exposed,
    quantised,
    table,
)
from oscar_reproduction import published  # noqa: E402
from oscar_summary import records, where  # noqa: E402


class Text(unittest.TestCase):
    def text(self, file):
        """The text of a page without tables, code and "In short"; lines are joined."""
        page = re.sub(r"^\|.*\n", "", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
        page = re.sub(r"^## In short\n.*?(?=^## )", "", page, flags=re.MULTILINE | re.DOTALL)
        return " ".join(re.sub(r"`[^`]*`", "", page).split())

    def test_a_figure_in_the_text_stands_in_a_table_of_the_page_or_in_a_sentence_that_is_recomputed(self):
        pages = {
            RESULTS: self.sentences(),
            ROOT / "results/oscar-hw": ["3.77", "1.38", "37.5 %"],
            ROOT / "results/saturation": self.of_saturation(),
            ROOT / "results/training": self.of_trainings(),
            ROOT / "results/compressors": self.of_compressors(),
        }
        for folder, known in pages.items():
            self.check(folder / "SUMMARY.md", folder / "SUMMARY.md", known)

    def test_a_figure_in_the_guide_to_trainings_stands_in_a_table_of_their_page_or_in_a_sentence_that_is_recomputed(
        self,
    ):
        self.check(ROOT / "docs/training.md", ROOT / "results/training/SUMMARY.md", self.of_guide())

    def check(self, page, tables, known):
        text = self.text(page)
        for sentence in known:
            self.assertIn(sentence, text)
            text = text.replace(sentence, "")
        rows = re.findall(r"^\|.*", tables.read_text(encoding="utf-8"), re.MULTILINE)
        cells = set(re.findall(r"\d+\.\d+(?:e-\d+)?", "\n".join(rows)))
        figures = re.findall(r"(?<![\d.])\d+\.\d+", text.replace("99.9th", "").replace("p99.9", ""))
        self.assertEqual([figure for figure in figures if figure not in cells], [], page)

    def test_what_stands_beside_published_figures_is_what_the_records_have(self):
        compressors = ROOT / "results/compressors"
        folders = {"compressors": compressors, "training": ROOT / "results/training"}
        made = list(published.rows(compressors / "published.yaml", folders))
        self.assertEqual(records.read(compressors / "published.csv")[1], made)
        self.assertNotIn("not made", [row["here"] for row in made])

    def sentences(self):
        """The sentences of where-it-pays with figures that no table has."""
        every = [row for name in TABLES for row in table(name)]
        real = sum(row.get("payload") == "encoded" for row in every)
        wrong = sum(not row["sums_match_reference"] for row in every)
        bits_off, times_off = (100 * off for off in self.of_sizes())
        allreduces, step_off, bits_thin = (100 * off for off in self.thinned())
        buckets_of = (
            ", ".join(
                f"{bucket(400)[trace]['relative_l2_error']:.3f} ({name})"
                for trace, name in (("resnet50-fmnist", "ResNet-50"), ("gpt2-kjv", "GPT-2 small"))
            )
            + f" and {bucket(400)['vgg16-fmnist']['relative_l2_error']:.3f} (VGG-16)"
        )
        bf16 = error(quantised("max", 8, "bf16"))
        return [
            f"has {bf16[0]:.3f} ({bf16[1]:.3f}-{bf16[2]:.3f})",
            f"Of {len(every):,} AllReduces {real} ({100 * real / len(every):.1f} %) carried real bytes",
            f"{wrong} of the {len(every):,} sums differ",
            f"computed sizes are off by at most {bits_off:.3f} %, times by at most {times_off:.3f} %",
            f"by at most {allreduces:.1f} % in the time of the AllReduces, {step_off:.2f} % in that of the step and "
            f"{bits_thin:.1f} % in bits",
            buckets_of,
            f"An AllReduce {ALLREDUCE} times as fast and a step {STEP} times as fast, as published, mean that "
            f"{100 * exposed(STEP, ALLREDUCE):.1f} % of the",
            "1.75 times with 8 ranks",
            f"({min(row['values'] for row in bucket(400).values()) / 1e6:.1f} to "
            f"{max(row['values'] for row in bucket(400).values()) / 1e6:.1f} million values)",
        ]

    def of_saturation(self):
        """What made the page on routers. The CPU time of that run is not recorded."""
        program, rows = records.read(ROOT / "results/saturation/saturation.csv")
        hops = sum(row["flit_hops"] for row in rows) / 1e6
        return [f"(oscar-sim {program}) from : {hops:.0f} million flit-hops in 39 s of one core"]

    def qualities(self):
        rows = records.read(ROOT / "results/training/methods.csv")[1]
        return {(row["training"], row["method"]): row["quality"] for row in rows}

    def above(self, *methods):
        """By how many per cent TAGC's losses are above dense's, which no table has."""
        quality = self.qualities()
        return [f"{100 * (quality['tagc', method] / quality['tagc', 'dense'] - 1):.1f} %" for method in methods]

    def of_trainings(self):
        first, plain = self.above("tagc 10x", "tagc, no sketch")
        tagc = f"its loss is {first} above dense's, without a sketch {plain}; its paper has 3.6 %"
        return [tagc, "98.75 % zeros", "1.94 to 5.63 times as fast", "1.95 to 6.67 times as fast"]

    def of_guide(self):
        """Differences and rounded qualities, which no table has, and what is published or set."""
        quality = self.qualities()
        below = [
            f"{100 * (quality['lenet-fmnist', 'dense'] - quality['lenet-fmnist', method]):.1f}"
            for method in ("dgc 100x", "dgc 100x, no momentum correction", "top-k 100x")
        ]
        nats = [f"{quality['gpt-kjv-rate', method]:.2f}" for method in ("dense", "top-k 10x", "oscar-sw packed 8 bit")]
        first, plain, fewer, every, least = self.above(
            "tagc 10x", "tagc, no sketch", "tagc 10x, 97 % zeros", "tagc 10x, all layers", "tagc 2x, 80 % zeros"
        )
        return [
            f"a loss 3.6 % above that of dense training; here it is {first} above",
            "of 2 ranks and 98.75 % zeros",
            "has it 1.95 to 6.67 times as fast",
            "the LeNet of 1.1 million values",
            "links of 25.6 Gbit/s",
            "as busy as 2.1 million would",
            f"DGC of 100x ends {below[0]} points of accuracy below dense training, without it {below[1]}; Top-k of "
            f"100x ends {below[2]} below",
            f"with 98.75 % zeros its loss is {first} above dense's, and without a sketch {plain}. With 97 % zeros it "
            f"is {fewer}, with all layers compressed {every}, and with 80 % zeros in a sketch of 2x {least}",
            f"it ends at {nats[0]} nats, Top-k of 10x at {nats[1]}, and OSCAR-SW of 8 bits at {nats[2]}",
        ]

    def of_compressors(self):
        """What tables of the compressors' page say in one number, and what is published."""
        rows = records.read(ROOT / "results/compressors/units.csv")[1]
        first = next(row["elements"] for row in rows if row["tagc"] < row["dense"])
        steps = records.read(ROOT / "results/compressors/gpt2.csv")[1]
        seconds = {(row["link"], row["method"]): row["seconds"] for row in steps}
        fitted = "6.46Gbps"
        self.assertEqual(round(seconds[fitted, "fp32"], 1), 25.2)
        saved = {
            method: [100 * (1 - seconds[link, method] / seconds[link, "fp32"]) for link in ("10Gbps", fitted)]
            for method in ("tagc, all but attention", "bf16")
        }
        tagc, bf16 = saved.values()
        return [
            f"The first that gains has {first:,} elements",
            "98.75 % zeros",
            "of 162.6 million values",
            "iteration takes the 25.2 s that were measured",
            f"is {tagc[0]:.1f} % at 10 Gbit/s and {tagc[1]:.1f} % at 6.46 Gbit/s",
            "measured 10.3 % (25.2 to 22.6 s",
            f"save {bf16[0]:.1f} % and {bf16[1]:.1f} %",
            "TAGC computes in 64.6 % of an iteration, FSDP in 22.4 %",
            "(28.5 against 26.8 s)",
        ]

    def of_sizes(self):
        """By how much bits and times of computed sizes differ at most from those of real bytes."""
        pairs = [
            (
                row,
                *where(
                    table("where-it-pays-ranks"),
                    payload="size_only",
                    ranks=row["ranks"],
                    trace=row["trace"],
                    method=row["method"],
                ),
            )
            for row in where(table("where-it-pays-ranks"), payload="encoded")
        ]
        return [
            max(abs(twin[figure] / row[figure] - 1) for row, twin in pairs)
            for figure in ("bits_per_value", "allreduce_ps")
        ]

    def thinned(self):
        """The most that AllReduces, step and bits of thinned gradients differ from the ones of whole gradients."""
        pairs = [
            (row, *where(table("step"), share=16, **{key: row[key] for key in ("trace", "ready", "method", LINK)}))
            for row in where(table("step"), share=1, ready="operations")
        ]
        return [
            max(abs(thin[figure] / row[figure] - 1) for row, thin in pairs)
            for figure in ("allreduce_ps", "step_ps", "bits_per_value")
        ]


if __name__ == "__main__":
    unittest.main()
