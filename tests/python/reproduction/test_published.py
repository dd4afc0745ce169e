"""python/oscar_reproduction.published: published figures beside those of records."""

import tempfile
import unittest
from pathlib import Path

import yaml
from oscar_reproduction import published
from oscar_summary import records

ROW = {
    "paper": "P",
    "what": "w",
    "published": "2x",
    "why": "y",
    "values": {"a": ["some/times", "method == 'a'", "s"], "b": ["some/times", "method == 'b'", "s"]},
    "derive": "x = b / a",
    "here": "{x:.1f}x of {b:g} s",
}


class Published(unittest.TestCase):
    def rows(self, row, times):
        with tempfile.TemporaryDirectory() as folder:
            listed = Path(folder) / "published.yaml"
            listed.write_text(yaml.safe_dump([row]), encoding="utf-8")
            records.write(Path(folder) / "times.csv", "of a test", times, ["method", "s"])
            return list(published.rows(listed, {"some": Path(folder)}))

    def test_a_row_has_what_its_records_say(self):
        (row,) = self.rows(ROW, [{"method": "a", "s": 2.0}, {"method": "b", "s": 3.0}])
        self.assertEqual(row, {"paper": "P", "what": "w", "published": "2x", "why": "y", "here": "1.5x of 3 s"})

    def test_values_need_no_derivation(self):
        row = {key: value for key, value in ROW.items() if key != "derive"}
        (found,) = self.rows({**row, "here": "{a:g} s"}, [{"method": "a", "s": 2.0}, {"method": "b", "s": 3.0}])
        self.assertEqual(found["here"], "2 s")

    def test_a_record_that_is_not_there_is_not_made(self):
        for times in ([{"method": "a", "s": 2.0}], [{"method": "a", "s": 2.0}, {"method": "b", "s": None}]):
            self.assertEqual(self.rows(ROW, times)[0]["here"], "not made")

    def test_a_query_with_two_answers_is_an_error(self):
        with self.assertRaisesRegex(ValueError, "some/times: 2 rows are method == 'a'"):
            self.rows(ROW, [{"method": "a", "s": 2.0}, {"method": "a", "s": 3.0}, {"method": "b", "s": 3.0}])


if __name__ == "__main__":
    unittest.main()
