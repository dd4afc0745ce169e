"""fp16 storage: the scale, the rounding, and the file that the TraceWriter makes of fp32 rows."""

import math
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import support  # noqa: F401  (skips the file without PyTorch)

import numpy as np

from oscar_capture import CaptureError, folder
from oscar_capture.half import scale_of, to_half


class Scale(unittest.TestCase):
    def test_largest_magnitude_comes_to_between_2_to_14_and_2_to_15(self):
        for largest in (1.0, 1.999, 2.0, 0.3, 7e-9, 65504.0, 3e37, 1e-30):
            scale = scale_of(largest)
            self.assertEqual(math.frexp(scale)[0], 0.5, f"{scale} is no power of two")
            self.assertTrue(2**14 <= largest / scale < 2**15, (largest, scale))

    def test_known_values(self):
        # 1 = 2^0 must come to 2^14: divide by 2^-14. 0.75 lies below it, 2^-1 up to 2^0: by 2^-15.
        self.assertEqual((scale_of(1.0), scale_of(0.75), scale_of(0.0)), (2.0**-14, 2.0**-15, 1.0))

    def test_scales_stay_within_those_of_the_format(self):
        self.assertEqual(scale_of(2.0**-140), 2.0**-125)
        self.assertEqual(scale_of(2.0**127), 2.0**112)


class Rounding(unittest.TestCase):
    def test_values_are_the_nearest_fp16_in_exact_arithmetic(self):
        """Against all 65536 fp16 numbers: none is nearer."""
        normal = np.random.default_rng(5).normal(size=400).astype(np.float32)
        values = normal * np.logspace(-7, 0, 400, dtype=np.float32)
        scale = scale_of(float(np.abs(values).max()))
        stored = to_half(values, scale)
        every = np.arange(65536, dtype=np.uint16).view(np.float16).astype(np.float64)
        every = np.unique(every[np.isfinite(every)])
        for value, got in zip(values.astype(np.float64) / scale, stored.astype(np.float64)):
            self.assertEqual(abs(value - got), np.abs(every - value).min())

    def test_ties_go_to_even(self):
        # Between 2048 and 4096 fp16 numbers are 2 apart: 2049 lies half-way to 2048 (even), 2051 to 2052.
        np.testing.assert_array_equal(to_half(np.float32([2049, 2051, -2049]), 1.0), [2048, 2052, -2048])

    def test_error_is_at_most_2_to_minus_11_of_a_value_that_is_not_tiny(self):
        values = np.random.default_rng(6).normal(size=10000).astype(np.float32)
        scale = scale_of(float(np.abs(values).max()))
        kept = np.abs(values) >= np.abs(values).max() * 2.0**-28
        error = np.abs(to_half(values, scale).astype(np.float64) * scale - values)
        self.assertTrue((error[kept] <= np.abs(values[kept]) * 2.0**-11).all())


class File(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.parent = Path(temporary.name)

    def written(self, rows, dtype):
        """(array, scales) of a trace of one iteration with the fp32 rows [ranks, elements]."""
        target = self.parent / dtype
        writer = folder.TraceWriter(target, dtype)
        file = writer.open(0, *rows.shape)
        file.write(rows.data)
        writer.close(file)
        writer.publish({"format": 1})
        self.assertEqual({path.name for path in target.iterdir()}, {"trace.yaml", "iteration-00000.npy"})
        return np.load(target / "iteration-00000.npy"), writer.scales

    def test_fp32_is_stored_as_it_is(self):
        rows = np.random.default_rng(7).normal(size=(3, 11)).astype("<f4")
        array, scales = self.written(rows, "f4")
        self.assertEqual((array.tobytes(), array.dtype.str, scales), (rows.tobytes(), "<f4", []))

    def test_one_scale_serves_all_ranks_whatever_the_size_of_the_pieces(self):
        rows = np.random.default_rng(7).normal(size=(3, 11)).astype("<f4") * np.float32([[1], [1e-3], [30]])
        for pieces in (1, 4, 33, 1 << 24):
            with mock.patch.object(folder, "PIECE_ELEMENTS", pieces), self.subTest(pieces):
                array, (scale,) = self.written(rows, "f2")
                self.assertEqual((array.dtype.str, array.shape), ("<f2", (3, 11)))
                self.assertEqual(scale, scale_of(float(np.abs(rows).max())))
                np.testing.assert_array_equal(array, (rows / np.float32(scale)).astype(np.float16))
            for path in (self.parent / "f2").iterdir():
                path.unlink()

    def test_another_type_is_refused_and_leaves_nothing(self):
        with self.assertRaisesRegex(CaptureError, "one of f4, f2, not 'bf16'"):
            folder.TraceWriter(self.parent / "x", "bf16")
        self.assertEqual(list(self.parent.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
