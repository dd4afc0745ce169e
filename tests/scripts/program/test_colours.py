"""Colours are for terminals."""

import tempfile
import unittest

from tests.scripts.program.terminal import QUICK, Terminal, need_terminals, piped

setUpModule = need_terminals


class Colours(unittest.TestCase):
    def test_are_for_terminals_only_and_not_for_those_who_want_none(self):
        with tempfile.TemporaryDirectory() as folder:
            run = (*QUICK, "-o", folder)
            self.assertIn("\x1b[1mmethod", Terminal(80, *run).read_to_end().text)
            self.assertNotIn("\x1b[1m", Terminal(80, *run, NO_COLOR="1").read_to_end().text)
            self.assertNotIn("\x1b", piped(*run).stdout)


if __name__ == "__main__":
    unittest.main()
