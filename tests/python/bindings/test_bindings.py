"""The package oscar_sim: what goes in and comes out of the C++ families, and what is refused."""

import unittest

import numpy as np
import oscar_sim


def normal(seed, size=5000):
    return np.random.default_rng(seed).normal(size=size).astype(np.float32)


class Quantisers(unittest.TestCase):
    def test_every_kind_keeps_values_within_half_a_step_of_their_code(self):
        values = normal(1)
        for kind in oscar_sim.families()["quantiser"]:
            with self.subTest(kind):
                quantiser = oscar_sim.Quantiser(kind, bits=8)
                peaks = quantiser.peaks(values)
                codes, saturated = quantiser.quantise(values, peaks)
                kept = np.abs(values) <= peaks[0]
                self.assertEqual(saturated > 0, kind == "percentile")   # 5 of 5000 values; the others take the largest
                self.assertLessEqual(saturated, np.count_nonzero(~kept))
                errors = np.abs(quantiser.dequantise(codes, peaks) - values)[kept]
                self.assertLessEqual(errors.max(), peaks[0] / 127 / 2 * (1 + 1e-5))

    def test_a_scale_per_tensor_is_of_its_tensor(self):
        values = np.concatenate([normal(1, 100), 1000 * normal(2, 50)])
        quantiser = oscar_sim.Quantiser("per_tensor")
        peaks = quantiser.peaks(values, [(0, 100), (100, 150)])
        np.testing.assert_array_equal(peaks, [np.abs(values[:100]).max(), np.abs(values[100:]).max()])

    def test_tensors_that_do_not_tile_are_refused(self):
        quantiser = oscar_sim.Quantiser("per_tensor")
        for tensors in ([(0, 100)], [(10, 150)], [(0, 100), (90, 150)]):
            with self.subTest(tensors), self.assertRaisesRegex(ValueError, "tensors"):
                quantiser.peaks(normal(1, 150), tensors)


    def test_values_that_are_not_finite_are_refused_by_name(self):
        quantiser, peaks = oscar_sim.Quantiser("max"), np.ones(1, np.float32)
        for value, word in ((np.nan, "NaN"), (np.inf, "infinite"), (-np.inf, "infinite")):
            values = normal(1, 150)
            values[7] = value
            for call in (lambda v: quantiser.peaks(v), lambda v: quantiser.quantise(v, peaks)):
                with self.subTest(word), self.assertRaisesRegex(ValueError, f"values: element 7 is {word}; a quantiser takes finite values only"):
                    call(values)

    def test_peaks_that_are_no_magnitudes_are_refused(self):
        quantiser, codes = oscar_sim.Quantiser("max"), np.ones(5, np.int32)
        for value, why in ((np.nan, "peaks: element 0 is NaN"), (np.inf, "infinite"), (-1, "a peak is a magnitude, at least 0")):
            peaks = np.array([value], np.float32)
            with self.subTest(why), self.assertRaisesRegex(ValueError, why):
                quantiser.quantise(normal(1, 5), peaks)
            with self.subTest(why), self.assertRaisesRegex(ValueError, why):
                quantiser.dequantise(codes, peaks)
        np.testing.assert_array_equal(quantiser.quantise(normal(1, 5), np.zeros(1, np.float32))[0], np.zeros(5))   # all zeros have no peak


class Codecs(unittest.TestCase):
    def codes(self, seed):
        quantiser, values = oscar_sim.Quantiser(bits=8), normal(seed)
        return quantiser.quantise(values, quantiser.peaks(values))[0]

    def test_every_kind_decodes_what_it_encoded_with_and_without_a_table(self):
        codes = self.codes(1)
        for kind in oscar_sim.families()["codec"]:
            width = 32 if kind in ("fp32", "bf16") else 8
            symbols = codes if width == 8 else normal(1).view(np.int32) & np.int32(-65536)   # bfloat16 as fp32
            codec = oscar_sim.Codec(kind)
            for table in (None, codec.learn(self.codes(2) if width == 8 else symbols, width)):
                with self.subTest(kind=kind, table=table is not None):
                    message = codec.encode(symbols, width, table)
                    np.testing.assert_array_equal(codec.decode(message, len(symbols), width, table), symbols)

    def test_a_table_of_their_own_costs_fewer_bytes_than_none(self):
        codec, codes = oscar_sim.Codec("asc"), self.codes(1)
        self.assertLess(len(codec.encode(codes, 8, codec.learn(codes, 8))), len(codec.encode(codes, 8)))
        self.assertLess(len(codec.encode(codes, 8)), len(codes))   # one byte a code

    def test_another_table_or_iteration_is_told_from_damage(self):
        codec, codes = oscar_sim.Codec("asc"), self.codes(1)
        table = codec.learn(codes, 8)
        message = codec.encode(codes, 8, table)
        with self.assertRaises(oscar_sim.TableMismatch):
            codec.decode(message, len(codes), 8, codec.learn(codes // 2, 8))
        with self.assertRaises(oscar_sim.TableMismatch):
            codec.decode(message, len(codes), 8, table, oscar_sim.Context(epoch=1))
        with self.assertRaises(oscar_sim.CorruptStream):
            codec.decode(message[:100], len(codes), 8, table)

    def test_tables_show_their_counts(self):
        table = oscar_sim.Codec("asc").learn(self.codes(1), 8)
        self.assertEqual(table.counts.sum(), 1024)
        self.assertEqual(table, oscar_sim.Codec("asc").learn(self.codes(1), 8))
        self.assertNotEqual(table, oscar_sim.Codec("asc").learn(self.codes(1) // 2, 8))


class Compressors(unittest.TestCase):
    def test_dense_is_the_mean_and_moves_every_value(self):
        gradients = [normal(rank) for rank in range(3)]
        step = oscar_sim.Compressor("dense", ranks=3).step(gradients)
        np.testing.assert_array_equal(step.mean, (gradients[0] + gradients[1] + gradients[2]) / np.float32(3))
        self.assertEqual([(e.carrier, e.padded, e.floats) for e in step.exchanges], [("all_reduce", 4 * 5000, 5000)])

    def test_with_feedback_all_is_sent_in_the_end(self):
        gradient, sent = [normal(1)], {}
        for feedback in (False, True):
            compressor = oscar_sim.Compressor("top_k", ranks=1, feedback=feedback, factor=10.0)
            sent[feedback] = sum(compressor.step(gradient).mean for _ in range(100)) / 100
        self.assertLess(np.abs(sent[True] - gradient[0]).max(), 0.2)
        self.assertGreater(np.abs(sent[False] - gradient[0]).max(), 1)   # the smaller ones never

    def test_what_has_feedback_of_its_own_takes_no_other(self):
        with self.assertRaisesRegex(ValueError, "feedback"):
            oscar_sim.Compressor("gravac", ranks=1, feedback=True)

    def test_the_mean_of_a_step_outlives_the_next(self):
        compressor = oscar_sim.Compressor("dense", ranks=1)
        first = compressor.step([normal(1)]).mean
        compressor.step([normal(2)])
        np.testing.assert_array_equal(first, normal(1))

    def test_wrong_gradients_are_refused_with_rank_and_element(self):
        compressor = oscar_sim.Compressor("dense", ranks=2)
        bad = normal(1)
        bad[7] = np.nan
        for gradients, why in (([normal(1), bad], "7"), ([normal(1)], "1"), ([normal(1), normal(1, 10)], "10")):
            with self.subTest(why), self.assertRaisesRegex(ValueError, why):
                compressor.step(gradients)

    def test_arrays_are_never_copied_in_silence(self):
        compressor = oscar_sim.Compressor("dense", ranks=1)
        for array in (normal(1)[::2], normal(1).astype(np.float64), normal(1).reshape(50, 100)):
            with self.subTest(array.dtype, shape=array.shape), self.assertRaises(TypeError):
                compressor.step([array])
        with self.assertRaises(TypeError):
            oscar_sim.Quantiser().peaks(normal(1).astype(np.float64))


class Configurations(unittest.TestCase):
    def test_a_misspelt_kind_or_parameter_is_told_how_to_be_written(self):
        for make in (lambda: oscar_sim.Codec("ask"), lambda: oscar_sim.Quantiser("percentile", percentil=99),
                     lambda: oscar_sim.Compressor("dens", ranks=2)):
            with self.assertRaisesRegex(oscar_sim.ConfigError, "did you mean"):
                make()


class Simulations(unittest.TestCase):
    EXPERIMENT = {"trace": "traces/lenet-fmnist", "ranks": 4, "iterations": {"first": 5, "count": 1}, "methods": ["fp32", "fixed_point"]}

    def test_the_report_of_an_experiment_is_a_dict(self):
        report = oscar_sim.simulate(self.EXPERIMENT)
        self.assertEqual([method["name"] for method in report["methods"]], ["fp32", "fixed_point"])

    def test_overrides_are_as_on_the_command_line(self):
        slow, fast = (oscar_sim.simulate(self.EXPERIMENT, {"network.link.bandwidth": b})["methods"][0]["allreduce_ps"]
                      for b in ("1Gbps", "100Gbps"))
        self.assertGreater(slow, 10 * fast)

    def test_wrong_input_is_a_config_error_and_says_where(self):
        with self.assertRaisesRegex(oscar_sim.ConfigError, "trase.*did you mean"):
            oscar_sim.simulate({**self.EXPERIMENT, "trase": "x"})


if __name__ == "__main__":
    unittest.main()
