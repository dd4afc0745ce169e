"""Every number that README.md claims ("What was found") is recomputed from the recorded figures: a number that no
formula gives fails, and so does one that its formula gives otherwise.

Run: /usr/bin/python3 -m unittest tests/scripts/claims/test_readme_claims.py
"""

import unittest

from tests.scripts.claims import claims
from tests.scripts.claims.claims import section
from tests.scripts.claims.found import readme


class Readme(unittest.TestCase):
    def test_every_number_of_what_was_found_is_that_of_the_recorded_figures(self):
        self.assertEqual(claims.mistakes(section("README.md", "What was found"), readme()), [])

    def test_a_change_of_any_of_its_numbers_is_noticed(self):
        page = section("README.md", "What was found")
        known = readme()
        tried = [(number, claims.mistakes(other, known)) for number, other in claims.changed(page, page)]
        self.assertGreater(len(tried), 60)
        self.assertEqual([number for number, mistakes in tried if not mistakes], [])


if __name__ == "__main__":
    unittest.main()
