"""scripts/rtl_mutations: each bug of its list still fits the RTL."""

import subprocess
import unittest
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[3]


class RtlMutations(unittest.TestCase):
    def test_each_text_stands_once(self):
        found = subprocess.run([ROOT / "scripts/rtl_mutations", "--check"], capture_output=True, text=True, check=False)
        self.assertEqual(found.returncode, 0, found.stderr)

    def test_there_are_at_least_ten_and_no_two_are_the_same(self):
        listed = yaml.safe_load((ROOT / "tests/engine/rtl/mutations.yaml").read_text(encoding="utf-8"))["mutations"]
        changes = {(mutation["file"], mutation["text"], mutation["replacement"]) for mutation in listed}
        self.assertGreaterEqual(len(changes), 10)
        self.assertEqual(len(changes), len(listed))


if __name__ == "__main__":
    unittest.main()
