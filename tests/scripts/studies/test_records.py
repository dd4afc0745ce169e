"""python/oscar_summary/records.py: rows of sweeps as CSV files."""

import tempfile
import unittest
from pathlib import Path

from tests.scripts.loading import script

script("oscar_hw")  # names the folder of oscar_summary
from oscar_summary import records  # noqa: E402

ROW = {
    "trace": "a",
    "engine": "{lanes: 64, clock: 1GHz}",
    "ranks": 8,
    "method": "fp32",
    "allreduce_ps": 123456789012,
    "imbalance": 1.25,
    "entropy": None,
    "overlap": True,
}


class Records(unittest.TestCase):
    def written(self, rows, columns):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "x.csv"
            records.write(file, "0.1.0+ab", rows, columns)
            return file.read_text(), records.read(file)

    def test_rows_come_back_as_they_were_written(self):
        _, (program, rows) = self.written([ROW], list(ROW))
        self.assertEqual((program, rows), ("0.1.0+ab", [ROW]))

    def test_only_the_named_columns_are_written_below_the_program(self):
        text, _ = self.written([ROW], ["trace", "engine", "allreduce_ps"])
        self.assertEqual(
            text, '# oscar-sim 0.1.0+ab\ntrace,engine,allreduce_ps\na,"{lanes: 64, clock: 1GHz}",123456789012\n'
        )

    def test_figures_keep_seven_significant_digits(self):
        _, (_, rows) = self.written([{"x": 1 / 3}], ["x"])
        self.assertEqual(rows, [{"x": 0.3333333}])

    def test_speedups_are_over_the_methods_of_the_same_point(self):
        rows = [
            {"trace": trace, "method": method, "allreduce_ps": ps}
            for trace, method, ps in (("a", "fp32", 100), ("a", "asc", 25), ("b", "fp32", 90), ("b", "asc", 30))
        ]
        self.assertEqual([row["speedup.fp32"] for row in records.with_speedups(rows, ["trace"])], [1, 4, 1, 3])
        self.assertEqual(rows[0]["speedup.asc"], 0.25)

    def test_swept_keys_stand_between_the_points_key_and_the_method(self):
        self.assertEqual(
            records.swept({"position": 0, "key": "f0", "trace": "a", "ranks": 8, "method": "fp32", "values": 3}),
            ["trace", "ranks"],
        )


if __name__ == "__main__":
    unittest.main()
