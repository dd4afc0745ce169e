"""scripts/bench_bucket: each method runs by itself and all together, on a bucket of any size."""

import subprocess
import unittest
from pathlib import Path

from tests.scripts.loading import script

bench_bucket = script("bench_bucket")
ROOT = Path(__file__).resolve().parents[3]


class Bucket(unittest.TestCase):
    def rows_of(self, *arguments):
        done = subprocess.run([ROOT / "scripts/bench_bucket", *arguments], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [line.strip("| ").split(" | ") for line in done.stdout.splitlines()[2:]]

    def test_prints_a_row_for_each_method_and_one_for_all(self):
        rows = self.rows_of("--elements", "20000")
        self.assertEqual([row[0] for row in rows], [*bench_bucket.METHODS, f"all {len(bench_bucket.METHODS)}"])
        for _, threads, wall, seconds, memory in rows:
            self.assertEqual(threads, "1")
            self.assertGreater(float(memory), 10)
            self.assertLess(float(seconds), 60)
            self.assertLess(float(wall), 600)

    def test_prints_a_row_for_each_number_of_threads(self):
        rows = self.rows_of("--elements", "2000", "--threads", "1", "2")
        self.assertEqual([row[1] for row in rows], ["1", "2"] * (len(bench_bucket.METHODS) + 1))


if __name__ == "__main__":
    unittest.main()
