"""scripts/compare_reports, and the table of the words that were renamed in reports."""

import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path

from tests.scripts.loading import script

compare_reports = script("compare_reports")
ROOT = Path(__file__).resolve().parents[3]
TABLE = ROOT / "tests/scripts/commands/report_renames.json"


class CompareReports(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = Path(self._folder.name)

    def written(self, name, content):
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return file

    def compare(self, old, new, *options):
        """(exit status, lines printed)."""
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            status = compare_reports.main([str(old), str(new), *options])
        return status, out.getvalue().splitlines()

    def compared(self, old, new, renames=None, *options):
        if renames is not None:
            options = (*options, "--renames", str(self.written("renames.json", renames)))
        return self.compare(self.written("old.json", old), self.written("new.json", new), *options)

    def test_equal_reports_have_no_difference_whatever_the_order_of_their_keys(self):
        self.assertEqual(
            self.compared({"a": 1, "b": [2, {"c": None}]}, {"b": [2, {"c": None}], "a": 1}),
            (0, ["1 report, 0 differences"]),
        )

    def test_each_difference_is_a_line_with_its_place(self):
        self.assertEqual(
            self.compared({"a": [{"b": 1}, 2], "c": "x", "d": None}, {"a": [{"b": 3}], "c": "y", "e": True}),
            (
                1,
                [
                    "new.json: a.0.b: 1 -> 3 (3x)",
                    "new.json: a.1: 2 -> nothing",
                    'new.json: c: "x" -> "y"',
                    "new.json: d: null -> nothing",
                    "new.json: e: nothing -> true",
                    "1 report, 5 differences",
                ],
            ),
        )

    def test_a_number_comes_with_its_ratio_and_a_time_with_its_unit(self):
        lines = self.compared(
            {"allreduce_ps": 38_000_000, "share": 0.5, "none": 0, "close": 100_000},
            {"allreduce_ps": 19_000_000, "share": 0.6, "none": 2, "close": 100_001},
        )[1]
        self.assertEqual(
            lines,
            [
                "new.json: allreduce_ps: 38000000 -> 19000000 (38 us -> 19 us, 0.5x)",
                "new.json: share: 0.5 -> 0.6 (1.2x)",
                "new.json: none: 0 -> 2",
                "new.json: close: 100000 -> 100001",
                "1 report, 4 differences",
            ],
        )

    def test_a_file_without_json_is_named_with_its_line(self):
        self.assertEqual(
            self.compare(self.written("a.json", "{}"), self.written("b.json", "{\n x")),
            (2, [f"compare_reports: {self.folder}/b.json:2:2: is no JSON; name a report.json, or a folder of them"]),
        )

    def test_numbers_are_compared_by_their_digits(self):
        self.assertEqual(self.compared('{"a": 1.0}', '{"a": 1.00}')[1][0], "new.json: a: 1.0 -> 1.00")
        self.assertEqual(self.compared('{"a": 0.10000000000000000001}', '{"a": 0.1}')[0], 1)
        self.assertEqual(self.compared('{"a": "1"}', '{"a": 1}')[1][0], 'new.json: a: "1" -> 1')

    def test_keys_and_values_are_renamed_where_the_table_says(self):
        table = {"keys": {"gather": "direction"}, "values": {"gather": {"back": "reverse"}, "methods": {"w": "f"}}}
        self.assertEqual(
            self.compared(
                {"gather": "back", "methods": ["w", "x"], "other": "back"},
                {"direction": "reverse", "methods": ["f", "x"], "other": "back"},
                table,
            )[0],
            0,
        )
        self.assertEqual(
            self.compared({"gather": "back"}, {"direction": "back"}, table)[1][0],
            'new.json: direction: "reverse" -> "back"',
        )

    def test_a_value_is_renamed_by_the_end_of_its_path(self):
        table = {"values": {"chunks.kind": {"broadcast": "leader"}}}
        self.assertEqual(
            self.compared(
                {"chunks": {"kind": "broadcast"}, "collective": {"kind": "broadcast"}},
                {"chunks": {"kind": "leader"}, "collective": {"kind": "broadcast"}},
                table,
            )[0],
            0,
        )

    def test_an_old_key_that_is_still_there_is_a_difference(self):
        self.assertEqual(
            self.compared({"gather": 1}, {"gather": 1}, {"keys": {"gather": "direction"}})[1],
            ["new.json: direction: 1 -> nothing", "new.json: gather: nothing -> 1", "1 report, 2 differences"],
        )

    def test_an_entry_moves_into_another_of_the_same_parent_before_or_after_it(self):
        table = {"keys": {"network.router": "network.switch.kind"}}
        new = {"network": {"switch": {"kind": {"vcs": 4}, "latency": 5}}, "router": 1}
        for network in (
            {"router": {"vcs": 4}, "switch": {"latency": 5}},
            {"switch": {"latency": 5}, "router": {"vcs": 4}},
        ):
            self.assertEqual(self.compared({"network": network, "router": 1}, new, table)[0], 0)

    def test_parts_of_texts_are_renamed(self):
        self.assertEqual(
            self.compared(
                {"notes": ["payload raw: x"]},
                {"notes": ["payload synthetic: x"]},
                {"text": {"payload raw:": "payload synthetic:"}},
            )[0],
            0,
        )

    def test_ignored_keys_at_the_top_do_not_count(self):
        self.assertEqual(
            self.compared({"host": 1, "a": {"host": 1}}, {"host": 2, "a": {"host": 2}}, None, "--ignore", "host")[1],
            ["new.json: a.host: 1 -> 2 (2x)", "1 report, 1 difference"],
        )

    def test_folders_are_compared_by_the_paths_of_their_files(self):
        for name, content in (
            ("old/a/report.json", {"x": 1}),
            ("new/a/report.json", {"x": 1}),
            ("old/gone.json", {}),
            ("new/come.json", {}),
            ("old/before.json", {"x": 1}),
            ("new/after.json", {"x": 2}),
        ):
            self.written(name, content)
        table = self.written("renames.json", {"files": {"before.json": "after.json"}})
        self.assertEqual(
            self.compare(self.folder / "old", self.folder / "new", "--renames", str(table)),
            (
                1,
                [
                    "after.json: x: 1 -> 2 (2x)",
                    "come.json: only in NEW",
                    "gone.json: only in OLD",
                    "4 reports, 3 differences",
                ],
            ),
        )

    def test_wrong_input_is_refused_in_a_line(self):
        for renames in ({"key": {}}, {"keys": {"network.router": "switch"}}, "{"):
            status, lines = self.compared({"network": {"router": 1}}, {}, renames)
            self.assertEqual((status, len(lines)), (2, 1), renames)
            self.assertIn("compare_reports: ", lines[0])
        self.assertEqual(self.compare(self.folder / "none.json", self.folder / "none.json")[0], 2)
        (self.folder / "empty").mkdir()
        self.assertEqual(self.compare(self.folder / "empty", self.folder / "empty")[0], 2)


class RenamedWords(unittest.TestCase):
    def test_no_old_word_is_left_in_a_golden_report(self):
        renames = compare_reports.Renames(compare_reports.read(TABLE))
        for file in sorted((ROOT / "tests/golden").glob("*.json")):
            report = compare_reports.read(file)
            self.assertEqual(compare_reports.differences(renames.applied(report), report), [], file.name)


if __name__ == "__main__":
    unittest.main()
