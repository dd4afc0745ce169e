"""scripts/bench_bucket: each method runs by itself and all together, on a bucket of any size."""

import subprocess
import unittest
from pathlib import Path

from tests.scripts.loading import script

bench_bucket = script("bench_bucket")
ROOT = Path(__file__).resolve().parents[2]


class Bucket(unittest.TestCase):
    def test_prints_a_row_for_each_method_and_one_for_all(self):
        done = subprocess.run([ROOT / "scripts/bench_bucket", "--elements", "20000"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        rows = [line.strip("| ").split(" | ") for line in done.stdout.splitlines()[2:]]
        self.assertEqual([row[0] for row in rows], [*bench_bucket.METHODS, f"all {len(bench_bucket.METHODS)}"])
        for _, seconds, memory in rows:
            self.assertGreater(float(memory), 10)
            self.assertLess(float(seconds), 60)


if __name__ == "__main__":
    unittest.main()
