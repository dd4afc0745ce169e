"""Each speed-up that README.md, docs/results.md and results/where-it-pays claim stands in a sentence that says over
what and of what it is.

Run: /usr/bin/python3 -m unittest tests/scripts/claims/test_speed_up_sentences.py
"""

import re
import unittest

from tests.scripts.claims.claims import section


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


if __name__ == "__main__":
    unittest.main()
