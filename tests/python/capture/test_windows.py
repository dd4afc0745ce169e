"""Which steps are recorded."""

import unittest

import support  # noqa: F401  (skips the file without PyTorch)
from oscar_capture import CaptureError
from oscar_capture.windows import Windows


class WindowsOfSteps(unittest.TestCase):
    def test_windows_are_put_in_the_order_of_training(self):
        windows = Windows(windows={"late": (9, 2), "early": (3, 2)})
        self.assertEqual(windows.steps, [3, 4, 9, 10])
        self.assertEqual([windows.stage(step) for step in windows.steps], ["early"] * 2 + ["late"] * 2)
        self.assertNotIn(5, windows)

    def test_missing_iterations_are_named(self):
        windows = Windows(windows={"early": (3, 2), "late": (9, 3)})
        self.assertIsNone(windows.why_incomplete(12))
        self.assertIn("iterations 11 are missing", windows.why_incomplete(11))
        self.assertIn("iterations 4, 9 to 11 are missing", windows.why_incomplete(4))

    def test_wrong_windows_are_refused(self):
        for arguments in (
            {},
            {"first": 1},
            {"count": 1},
            {"first": 1, "count": 1, "windows": {"a": (1, 1)}},
            {"windows": {}},
            {"windows": {"a": 3}},
            {"windows": {"a": (1, 0)}},
            {"windows": {"a": (-1, 2)}},
            {"windows": {"a": (1.0, 2)}},
            {"windows": {3: (1, 2)}},
            {"windows": {"a": (1, 3), "b": (3, 1)}},
            {"windows": [(1, 2)]},
        ):
            with self.subTest(arguments), self.assertRaises(CaptureError) as caught:
                Windows(**arguments)
            self.assertNotIn("\n", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
