"""Tables of results pages: what tables.yaml can say of the rows of CSV files.

Run: /usr/bin/python3 -m unittest tests/scripts/studies/test_tables.py
"""

import re
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import yaml

from tests.scripts.loading import script

script("where_it_pays")  # names the folder of oscar_summary
from oscar_summary import causes, command, page, records, tables  # noqa: E402

ROOT = Path(__file__).resolve().parents[3]
PAGES = [file.parent for file in sorted(ROOT.glob("results/*/tables.yaml"))]
LINK = "network.link.bandwidth"
FIGURES = (
    "allreduce_ps",
    "bits_per_value",
    "imbalance",
    *causes.COLUMNS,
    "break_even_bandwidth_gbps",
    "relative_l2_error",
    "cosine",
    "sums_match_reference",
)


def row(method, time, cause="dma", **keys):
    """60 % of its critical path is `cause`."""
    path = {f"critical_path.{name}_ps": time // 10 for name in causes.NAMES}
    path[f"critical_path.{cause}_ps"] = time - 4 * (time // 10)
    return {
        **keys,
        "method": method,
        "allreduce_ps": time,
        "bits_per_value": 8.0,
        "imbalance": 2.0,
        **path,
        "break_even_bandwidth_gbps": 600.0,
        "relative_l2_error": 0.4,
        "cosine": 0.9,
        "sums_match_reference": True,
    }


class OfRows(unittest.TestCase):
    """Tables of rows that a test writes to x.csv."""

    NAMES = {"scale": {16: "25 MiB", 1: "1.6 MiB"}}

    def lines(self, made, columns, names=NAMES, **definition):
        """The cells of each line, without the heading and the line below it."""
        with tempfile.TemporaryDirectory() as name:
            keys = [key for key in made[0] if key not in (*FIGURES, "method")]
            records.write(Path(name) / "x.csv", "1.0+abc", made, [*keys, "method", *FIGURES])
            text = tables.made({"csv": "x.csv", "columns": columns, **definition}, Path(name), names)
        self.head, _, *lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()]
        return lines

    def by_link(self):
        """Two traces and links: oscar-hw takes 1000 and 500, fp32 2000 and 4000 on the slow one; else all 3000."""
        return [
            made
            for trace, best, base in (("a", 1000, 2000), ("b", 500, 4000))
            for link, times in (("100Gbps", (base, best)), ("400Gbps", (3000, 3000)))
            for made in (
                row("fp32", times[0], trace=trace, **{LINK: link}),
                row("oscar-hw", times[1], "wire", trace=trace, **{LINK: link}),
            )
        ]

    def test_a_line_has_means_over_its_rows_with_least_and_most_unless_these_look_the_same(self):
        lines = self.lines(
            self.by_link(), {"x": "speed-up of oscar-hw over fp32", "e": "error of fp32"}, rows={"link": LINK}
        )
        self.assertEqual(lines, [["100", "4.00 (2.00-8.00)", "0.400"], ["400", "1.00", "0.400"]])

    def test_columns_are_repeated_across_a_key_and_cells_joined(self):
        lines = self.lines(
            self.by_link(),
            {"x, {}": ["speed-up of oscar-hw over fp32", "limiter of oscar-hw"]},
            rows={"trace": "trace"},
            across=LINK,
        )
        self.assertEqual(self.head, ["trace", "x, 100", "x, 400"])
        self.assertEqual(lines, [["a", "2.00, the link", "1.00, the link"], ["b", "8.00, the link", "1.00, the link"]])

    def test_a_query_chooses_rows_for_the_table_its_lines_or_a_cell(self):
        rows = self.by_link()
        self.assertEqual(self.lines(rows, {"n": "count"}, rows={"trace": "trace"}, where="trace == 'a'"), [["a", "4"]])
        slow = f"`{LINK}` == '100Gbps'"
        self.assertEqual(self.lines(rows, {"n": f"count at {slow}"}, rows={"trace": "trace"}), [["a", "2"], ["b", "2"]])
        self.assertEqual(
            self.lines(
                rows, {"x": "slow-down over oscar-hw"}, rows={"m": "method"}, where=slow, only="method == 'fp32'"
            ),
            [["fp32", "4.00 (2.00-8.00)"]],
        )  # 2000 / 1000 and 4000 / 500

    def test_the_baseline_is_that_of_the_same_point(self):
        rows = [
            row(method, time, scale=scale, trace="a")
            for scale, times in ((16, (4000, 1000)), (1, (900, 300)))
            for method, time in zip(("fp32", "asc"), times)
        ]
        self.assertEqual(
            self.lines(rows, {"x": "speed-up of asc over fp32"}, rows={"size": "scale"}),
            [["25 MiB", "4.00"], ["1.6 MiB", "3.00"]],
        )

    def test_what_was_not_run_is_said_not_to_be(self):
        rows = self.by_link()
        self.assertEqual(
            self.lines(rows, {"x": "speed-up of oscar-hw over bf16", "y": "error of bf16"}, rows={"trace": "trace"})[0],
            ["a", "not run", "not run"],
        )
        without = [made for made in rows if (made["trace"], made["method"]) != ("b", "fp32")]
        self.assertEqual(
            self.lines(without, {"x": "speed-up of oscar-hw over fp32"}, rows={"link": LINK})[0], ["100", "not run"]
        )

    def test_lines_are_in_the_order_of_names_or_numbers(self):
        rows = [row("fp32", 1000, scale=scale, ranks=ranks) for scale in (1, 16) for ranks in (16, 8)]
        lines = self.lines(rows, {"n": "count"}, rows={"size": "scale", "ranks": "ranks"}, order=["scale", "ranks"])
        self.assertEqual(
            [line[:2] for line in lines], [["25 MiB", "8"], ["25 MiB", "16"], ["1.6 MiB", "8"], ["1.6 MiB", "16"]]
        )

    def test_the_link_at_which_nothing_is_gained_is_the_first_below_one_per_cent(self):
        times = {
            "50Gbps": 500,
            "1600Gbps": 2000,
            "400Gbps": 991,
            "200Gbps": 990,
        }  # of 1000: 2, 0.5, 1.009 and 1.0101 times as fast
        rows = [
            row(method, 1000 if method == "fp32" else time, trace="a", **{LINK: link})
            for link, time in times.items()
            for method in ("fp32", "asc")
        ]
        self.assertEqual(self.lines(rows, {"x": "ends of asc over fp32"}, rows={"trace": "trace"}), [["a", "400"]])
        self.assertEqual(
            self.lines(rows[:2], {"x": "ends of asc over fp32"}, rows={"trace": "trace"}), [["a", "above 50"]]
        )

    def test_a_break_even_far_from_the_link_is_only_said_to_be_above(self):
        for rate, words in ((None, "above 800"), (0.0, "0"), (800.0, "800"), (800.1, "above 800")):
            rows = [
                row("asc", 10, trace="a", **{LINK: "400Gbps"}) | {"break_even_bandwidth_gbps": rate},
                row("fp32", 10, trace="a", **{LINK: "400Gbps"}),
            ]
            self.assertEqual(self.lines(rows, {"x": "estimate"}, rows={"m": "method"}), [["asc", words], ["fp32", "-"]])

    def test_the_fastest_baseline_is_taken_over_all_schedules_of_the_same_trace(self):
        rows = [
            row(method, time, trace="a", slices=slices)
            for slices, times in ((1, (4000, 2000)), (8, (3000, 1000)))
            for method, time in zip(("fp32", "asc"), times)
        ]
        lines = self.lines(
            rows,
            {"x": "speed-up of asc over fp32", "f": "fastest of asc over fp32"},
            rows={"slices": "slices"},
            schedules=["slices"],
        )
        self.assertEqual(lines, [["1", "2.00", "1.50"], ["8", "3.00", "3.00"]])

    def test_of_a_key_the_value_is_kept_with_which_a_method_is_fastest_on_the_mean(self):
        rows = [
            row(method, time, trace=trace, slices=slices)
            for trace in "ab"
            for slices, times in ((16, (10, 40)), (32, (20, 30)))
            for method, time in zip(("fp32", "asc"), times)
        ]
        lines = self.lines(
            rows,
            {"us": "count"},
            rows={"m": "method", "slices": "slices"},
            keep={"fastest": "slices", "by": ["method"]},
        )
        self.assertEqual(lines, [["fp32", "16", "2"], ["asc", "32", "2"]])

    def test_rows_are_kept_than_which_no_other_is_better_in_both_figures(self):
        rows = [
            row("asc", time, bits=bits, trace="a") | {"relative_l2_error": wrong}
            for bits, wrong, time in ((10, 0.1, 9), (9, 0.2, 9), (8, 0.3, 5), (7, 0.4, 6), (6, 0.4, 4))
        ]
        lines = self.lines(
            rows,
            {"e": "error"},
            rows={"bits": "bits"},
            keep={"front": ["relative_l2_error", "allreduce_ps"], "by": ["trace"]},
        )
        self.assertEqual([line[0] for line in lines], ["10", "8", "6"])

    def test_rows_are_kept_that_are_slower_than_the_fastest_of_others(self):
        rows = [
            row(method, time, trace=trace)
            for trace, times in (
                ("a", (1000, 1000, 2000)),
                ("b", (989, 1000, 2000)),
                ("c", (1000, 980, 970)),
                ("d", (1000, 991, 2000)),
            )
            for method, time in zip(("oscar-hw", "asc", "rans"), times)
        ]
        columns = {"x": "ratio over asc"}
        self.assertEqual(
            self.lines(rows, columns, rows={"trace": "trace"}, keep={"behind": ["asc"], "of": "oscar-hw"}),
            [["c", "0.980"]],
        )
        self.assertEqual(
            self.lines(rows, columns, rows={"trace": "trace"}, keep={"behind": ["rans", "asc"], "of": "oscar-hw"}),
            [["c", "0.980"]],
        )
        self.assertEqual(
            self.lines(rows, columns, rows={"trace": "trace"}, keep={"behind": ["rans"], "of": "oscar-hw"}),
            [["c", "0.980"]],
        )

    def test_shares_name_their_cause(self):
        lines = self.lines(
            [row("asc", 1000, "latency", trace="a")],
            {"l": "limiter-and-share", "d": "share-dma", "y": "share-latency"},
            rows={"trace": "trace"},
        )
        self.assertEqual(lines, [["a", "latency, 60 %", "10 %", "60 %"]])

    def test_what_bits_and_balance_allow_is_reached_in_part(self):
        rows = [row(method, time, trace="a") for method, time in (("fp32", 1500), ("asc", 1000))]  # 1.5 x 8 x 2 / 32
        self.assertEqual(
            self.lines(rows, {"r": "reached of asc over fp32"}, rows={"trace": "trace"}), [["a", "75.0 %"]]
        )

    def test_columns_of_the_file_can_be_shown(self):
        rows = [
            row("asc", 1000, off=off, trace="a") | {"bits_per_value": bits} for off, bits in ((0.01, 2.0), (-0.03, 8.0))
        ]
        lines = self.lines(
            rows, {"m": "mean(bits_per_value)", "w": "worst(off)", "o": "only(trace)"}, rows={"trace": "trace"}
        )
        self.assertEqual(lines, [["a", "4.00 (2.00-8.00)", "-3.0 %", "a"]])

    def test_real_bytes_and_wrong_sums_are_counted(self):
        rows = [
            row("asc", 1000, trace="a", payload="encoded", n=n) | {"sums_match_reference": n > 1} for n in range(3)
        ] + [row("asc", 1, trace="a", payload="size_only", n=9)]
        lines = self.lines(rows, {"n": "count", "r": "real", "w": "wrong", "s": "sums"}, rows={"program": "program"})
        self.assertEqual(lines, [["1.0+abc", "4", "3", "2", "WRONG, size only"]])

    def test_without_keys_each_row_is_a_line_of_format_strings_and_derived_columns(self):
        rows = [row("asc", 1000, a=1234, b=2.0), row("asc", 1000, a=5, b=None)]
        lines = self.lines(
            rows,
            {"a": "{a:,}", "x": "{a}/{b:.2f}", "twice": "{twice:+.1f} %", "m": "{method}"},
            derive="twice = 2 * a\nhalf = a / 2",
            where="half > 0",
        )
        self.assertEqual(self.head, ["a", "x", "twice", "m"])
        self.assertEqual(lines, [["1,234", "1234/2.00", "+2468.0 %", "asc"], ["5", "-", "+10.0 %", "asc"]])

    def test_files_without_methods_can_be_shown(self):
        with tempfile.TemporaryDirectory() as name:
            records.write(Path(name) / "x.csv", "1.0", [{"n": 3, "word": "w"}], ["n", "word"])
            self.assertEqual(
                tables.made({"csv": "x.csv", "columns": {"h": "{word} {n}"}}, Path(name), {}), "| h |\n|---|\n| w 3 |\n"
            )

    def test_errors_that_no_decimals_show_are_powers_of_ten(self):
        self.assertEqual([tables.small(wrong) for wrong in (0.001, 1.7e-9)], ["0.001", "2e-09"])
        rows = [row("asc", 1000, trace="a") | {"relative_l2_error": None}, row("fp32", 1000, trace="a")]
        self.assertEqual(
            self.lines(rows, {"e": "error"}, rows={"m": "method"}), [["asc", "not recorded"], ["fp32", "0.400"]]
        )


class Pages(unittest.TestCase):
    def test_a_block_is_replaced_and_text_is_not(self):
        described = {"names": {}, "tables": {"one": {"csv": "none.csv"}}}
        text = "a 1.5\n\n<!-- table one -->\n| old |\n<!-- end -->\n\nb\n"
        with tempfile.TemporaryDirectory() as name:
            self.assertEqual(
                tables.fill(text, Path(name), described),
                "a 1.5\n\n<!-- table one -->\nNot run: there is no none.csv.\n<!-- end -->\n\nb\n",
            )
            with self.assertRaisesRegex(KeyError, "two"):
                tables.fill(text.replace("one", "two"), Path(name), described)

    def test_the_shipped_tables_are_made_of_the_shipped_figures(self):
        self.assertGreaterEqual(len(PAGES), 2)
        for folder in PAGES:
            for page_of in folder.glob("*.md"):
                with self.subTest(page_of):
                    text = page_of.read_text(encoding="utf-8")
                    filled = tables.fill(text, folder, tables.described(folder))
                    self.assertTrue(filled == text, "run the script of the page with --from-csv")

    def test_every_table_that_is_described_stands_on_a_page_once(self):
        for folder in PAGES:
            text = "".join(page_of.read_text(encoding="utf-8") for page_of in folder.glob("*.md"))
            on_pages = re.findall(r"<!-- table (\S+) -->", text)
            self.assertEqual(sorted(on_pages), sorted(tables.described(folder)["tables"]), folder.name)

    def test_every_table_with_a_speed_up_has_an_error(self):
        for folder in PAGES:
            for name, described in tables.described(folder)["tables"].items():
                cells = yaml.safe_dump(described["columns"])
                if (
                    "rows" in described
                    and re.search(r"speed-up|slow-down|fastest|ratio", cells)
                    and described["csv"] != "step.csv"
                    and not name.startswith("engine-")
                ):
                    self.assertIn("error", cells, (folder.name, name))

    def test_a_folder_without_figures_is_refused_and_stays_as_it_is(self):
        with tempfile.TemporaryDirectory() as name:
            with self.assertRaisesRegex(
                command.InputError, "holds no CSV file of a run; name the folder of an earlier one"
            ):
                page.fill(PAGES[0], Path(name))
            self.assertEqual(list(Path(name).iterdir()), [])

    def test_without_pandas_a_line_says_what_to_install(self):
        with mock.patch.dict(sys.modules, {"oscar_summary.tables": None}), mock.patch.object(
            sys.modules["oscar_summary"], "tables", create=True
        ):
            del sys.modules["oscar_summary"].tables
            with self.assertRaisesRegex(
                command.InputError, "SUMMARY.md: its tables need .*; run scripts/setup plot-packages.txt"
            ):
                page.fill(PAGES[0], PAGES[0])


if __name__ == "__main__":
    unittest.main()
