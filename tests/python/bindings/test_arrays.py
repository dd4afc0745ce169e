"""What oscar_sim takes for an array and a number: what it converts, and how it refuses the rest."""

import unittest

import numpy as np
import oscar_sim

try:
    import torch
except ImportError:
    torch = None

VALUES = np.random.default_rng(1).normal(size=1000).astype(np.float16).astype(np.float32)  # fp16 holds them all exactly
SYMBOLS = np.arange(-50, 50, dtype=np.int32)


def peaks(values):
    return oscar_sim.Quantiser().peaks(values)


def coded(symbols):
    return oscar_sim.Codec("asc").encode(symbols, 8)


class Converted(unittest.TestCase):
    def test_real_numbers_of_any_type_and_stride_are_as_float32_of_the_same_values(self):
        spaced = np.repeat(VALUES, 2)
        for same in (
            VALUES.astype(np.float64),
            VALUES.astype(np.float16),
            VALUES.tolist(),
            spaced[::2],
            VALUES[::-1][::-1],
            memoryview(VALUES),
            VALUES.astype(">f4"),
        ):
            with self.subTest(type(same)):
                np.testing.assert_array_equal(peaks(same), peaks(VALUES))

    def test_float64_is_rounded_to_fp32(self):
        np.testing.assert_array_equal(oscar_sim.Quantiser("max").peaks(np.array([0.1])), np.array([0.1], np.float32))

    def test_whole_numbers_of_any_type_are_as_int32(self):
        for same in (SYMBOLS.astype(np.int64), SYMBOLS.astype(np.int8), SYMBOLS.tolist(), np.repeat(SYMBOLS, 2)[::2]):
            with self.subTest(type(same)):
                self.assertEqual(coded(same), coded(SYMBOLS))

    def test_a_float32_array_without_gaps_is_not_copied(self):
        from oscar_sim import _arrays

        self.assertIs(_arrays.floats(VALUES, "values"), VALUES)
        self.assertIs(_arrays.integers(SYMBOLS, "symbols"), SYMBOLS)

    def test_gradients_of_ranks_are_converted_one_by_one(self):
        compressor = oscar_sim.Compressor("dense", ranks=2)
        both = np.stack([VALUES, 2 * VALUES])
        expected = compressor.step(list(both)).mean
        for gradients in (both, both.astype(np.float64), [VALUES.tolist(), 2 * VALUES], (row for row in both)):
            with self.subTest(type(gradients)):
                np.testing.assert_array_equal(compressor.step(gradients).mean, expected)

    @unittest.skipUnless(torch, "PyTorch is missing (Debian package python3-torch)")
    def test_tensors_of_pytorch_are_converted_whether_they_need_gradients_or_not(self):
        tensor = torch.from_numpy(VALUES)
        for same in (
            tensor,
            tensor.double(),
            tensor.half(),
            tensor.clone().requires_grad_(),
            torch.nn.Parameter(tensor),
        ):
            with self.subTest(same.dtype):
                np.testing.assert_array_equal(peaks(same), peaks(VALUES))
        rounded = tensor.bfloat16()
        np.testing.assert_array_equal(peaks(rounded), peaks(rounded.float().numpy()))
        self.assertEqual(coded(torch.from_numpy(SYMBOLS).long()), coded(SYMBOLS))
        np.testing.assert_array_equal(oscar_sim.Compressor("dense", ranks=1).step([tensor]).mean, VALUES)


class Refused(unittest.TestCase):
    def refuses(self, error, words, call, *arguments, **named):
        with self.subTest(words), self.assertRaisesRegex(error, words) as caught:
            call(*arguments, **named)
        self.assertNotIn("\n", str(caught.exception))

    def test_what_is_no_array_of_numbers_is_said_in_one_line(self):
        for wrong, words in (
            ("abc", "not str"),
            (None, "not NoneType"),
            (np.ones(3, complex), "not complex128"),
            ([[1], [2, 3]], "not list"),
            ({}, "not dict"),
            (np.array(["a"]), "not <U1"),
        ):
            self.refuses(TypeError, f"^values: (real|an array of) numbers (are|is) wanted, {words}", peaks, wrong)
            self.refuses(
                TypeError,
                f"^rank 0: (real|an array of) numbers (are|is) wanted, {words}",
                oscar_sim.Compressor("dense", ranks=1).step,
                [wrong],
            )

    def test_symbols_must_be_whole_and_fit_32_bits(self):
        self.refuses(
            TypeError, "^symbols: whole numbers are wanted, not float32; a Quantiser makes them", coded, VALUES
        )
        self.refuses(ValueError, "^symbols: element 1 is 4294967296, which does not fit 32 bits", coded, [1, 2**32])

    def test_other_shapes_are_said_how_to_flatten(self):
        for wrong in (VALUES.reshape(10, 100), np.float32(3)):
            self.refuses(
                ValueError, r"^values: one dimension is wanted, not [02] .*write \.reshape\(-1\)", peaks, wrong
            )

    def test_float64_beyond_fp32_is_infinite_and_said_so(self):
        self.refuses(ValueError, "^values: element 1 is infinite", peaks, [1.0, 1e300])

    def test_numbers_out_of_range_are_named_with_the_range(self):
        codec = oscar_sim.Codec("asc")
        for words, call in (
            ("width: 0 is out of range; choose 1 to 32", lambda: codec.encode(SYMBOLS, 0)),
            ("width: 33 is", lambda: codec.learn(SYMBOLS, 33)),
            ("size: -1 is out of range", lambda: codec.decode(b"", -1, 8)),
            ("lanes: 4097 is out of range; choose 1 to 4096", lambda: oscar_sim.Codec(lanes=4097)),
            (
                "ranks: 1000000000 is out of range; choose 1 to 4096",
                lambda: oscar_sim.Compressor("top_k", ranks=10**9),
            ),
            ("ranks: 0 is out of range", lambda: oscar_sim.Compressor("top_k", ranks=0)),
            ("seed: -1", lambda: oscar_sim.Compressor("top_k", ranks=1, seed=-1)),
            ("key: -1", lambda: oscar_sim.Quantiser().quantise(VALUES, [1.0], key=-1)),
            ("ranks: -1", lambda: oscar_sim.widened_bits(8, -1)),
            ("epoch: 256 is out of range; choose 0 to 255", lambda: oscar_sim.Context(256)),
            ("chunk: 65536", lambda: oscar_sim.Context(chunk=65536)),
            ("tensors: begin: -1", lambda: oscar_sim.Quantiser().peaks(VALUES, [(-1, 5)])),
            ("values: there are none, and so no magnitude; give one", lambda: oscar_sim.Quantiser().peaks([])),
            ("values: there are none", lambda: oscar_sim.Quantiser("percentile").peaks(np.empty(0, np.float32))),
        ):
            self.refuses(ValueError, f"^{words}", call)

    def test_other_types_of_arguments_are_named(self):
        for words, call in (
            ("ranks: a whole number is wanted, not 'eight'", lambda: oscar_sim.Compressor("top_k", ranks="eight")),
            ("message: bytes are wanted, .*not str", lambda: oscar_sim.Codec().decode("abc", 3, 8)),
            ("gradients: one array a rank is wanted, not int", lambda: oscar_sim.Compressor("top_k", ranks=1).step(3)),
            (
                r"tensors: a list of tuples \(begin, end, rows\) is wanted; there is \(0, 4\)",
                lambda: oscar_sim.Compressor("top_k", ranks=1).step([VALUES], [(0, 4)]),
            ),
            (
                r"tensors: a list of tuples \(begin, end\) is wanted, not 5",
                lambda: oscar_sim.Quantiser().peaks(VALUES, 5),
            ),
            (
                "tensors: end: a whole number is wanted, not 4.5",
                lambda: oscar_sim.Quantiser().peaks(VALUES, [(0, 4.5)]),
            ),
        ):
            self.refuses(TypeError, f"^{words}", call)

    def test_a_message_may_be_any_bytes(self):
        codec = oscar_sim.Codec("asc")
        message = codec.encode(SYMBOLS, 8)
        for same in (message, bytearray(message), memoryview(message)):
            np.testing.assert_array_equal(codec.decode(same, len(SYMBOLS), 8), SYMBOLS)


if __name__ == "__main__":
    unittest.main()
