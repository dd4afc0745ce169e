"""The package oscar_sim: what goes in and comes out of the C++ families, and what is refused."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import warnings
from pathlib import Path

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
                self.assertEqual(
                    saturated > 0, kind.endswith("percentile")
                )  # 5 of 5000 values; the others take the largest
                self.assertLessEqual(saturated, np.count_nonzero(~kept))
                errors = np.abs(quantiser.dequantise(codes, peaks) - values)[kept]
                self.assertLessEqual(errors.max(), peaks[0] / 127 / 2 * (1 + 1e-5))

    def test_a_scale_per_tensor_is_of_its_tensor(self):
        values = np.concatenate([normal(1, 100), 1000 * normal(2, 50)])
        quantiser = oscar_sim.Quantiser("per_tensor")
        peaks = quantiser.peaks(values, [(0, 100), (100, 150)])
        np.testing.assert_array_equal(peaks, [np.abs(values[:100]).max(), np.abs(values[100:]).max()])

    def test_a_percentile_per_tensor_clips_in_each_tensor(self):
        values, tensors = np.concatenate([normal(1, 2000), 1000 * normal(2, 3000)]), [(0, 2000), (2000, 5000)]
        quantiser = oscar_sim.Quantiser("per_tensor_percentile", percentile=99.9)
        peaks = quantiser.peaks(values, tensors)
        np.testing.assert_array_equal(
            peaks, [np.sort(np.abs(values[:2000]))[1997], np.sort(np.abs(values[2000:]))[2996]]
        )
        codes, saturated = quantiser.quantise(values, peaks, tensors)
        clipped = np.abs(values) > np.repeat(peaks * np.float32(127.5 / 127), (2000, 3000))
        np.testing.assert_array_equal(np.abs(codes[clipped]), 127)
        self.assertEqual(saturated, np.count_nonzero(clipped))

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
                with self.subTest(word), self.assertRaisesRegex(
                    ValueError, f"values: element 7 is {word}; a quantiser takes finite values only"
                ):
                    call(values)

    def test_peaks_that_are_no_magnitudes_are_refused(self):
        quantiser, codes = oscar_sim.Quantiser("max"), np.ones(5, np.int32)
        for value, why in (
            (np.nan, "peaks: element 0 is NaN"),
            (np.inf, "infinite"),
            (-1, "a peak is a magnitude, at least 0"),
        ):
            peaks = np.array([value], np.float32)
            with self.subTest(why), self.assertRaisesRegex(ValueError, why):
                quantiser.quantise(normal(1, 5), peaks)
            with self.subTest(why), self.assertRaisesRegex(ValueError, why):
                quantiser.dequantise(codes, peaks)
        np.testing.assert_array_equal(
            quantiser.quantise(normal(1, 5), np.zeros(1, np.float32))[0], np.zeros(5)
        )  # all zeros have no peak


class Codecs(unittest.TestCase):
    def codes(self, seed):
        quantiser, values = oscar_sim.Quantiser(bits=8), normal(seed)
        return quantiser.quantise(values, quantiser.peaks(values))[0]

    def test_every_kind_decodes_what_it_encoded_with_and_without_a_table(self):
        codes = self.codes(1)
        for kind in oscar_sim.families()["codec"]:
            width = 32 if kind in ("fp32", "bf16") else 8
            symbols = codes if width == 8 else normal(1).view(np.int32) & np.int32(-65536)  # bfloat16 as fp32
            codec = oscar_sim.Codec(kind)
            for table in (None, codec.learn(self.codes(2) if width == 8 else symbols, width)):
                with self.subTest(kind=kind, table=table is not None):
                    message = codec.encode(symbols, width, table)
                    np.testing.assert_array_equal(codec.decode(message, len(symbols), width, table), symbols)

    def test_a_table_of_their_own_costs_fewer_bytes_than_none(self):
        codec, codes = oscar_sim.Codec("asc"), self.codes(1)
        self.assertLess(len(codec.encode(codes, 8, codec.learn(codes, 8))), len(codec.encode(codes, 8)))
        self.assertLess(len(codec.encode(codes, 8)), len(codes))  # one byte a code

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
        self.assertGreater(np.abs(sent[False] - gradient[0]).max(), 1)  # the smaller ones never

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


class Configurations(unittest.TestCase):
    def test_a_misspelt_kind_or_parameter_is_told_how_to_be_written(self):
        for make in (
            lambda: oscar_sim.Codec("ask"),
            lambda: oscar_sim.Quantiser("percentile", percentil=99),
            lambda: oscar_sim.Compressor("dens", ranks=2),
        ):
            with self.assertRaisesRegex(
                oscar_sim.ConfigError, r"^(kind: '\w+' is not known|percentil: no such parameter) .did you mean"
            ):
                make()


class Simulations(unittest.TestCase):
    SANITIZER = {
        name: os.environ[name] for name in ("LD_PRELOAD", "ASAN_OPTIONS") if name in os.environ
    }  # of a module that was built with one
    EXPERIMENT = {
        "trace": "traces/lenet-fmnist",
        "ranks": 4,
        "iterations": {"first": 5, "count": 1},
        "methods": ["fp32", "fixed_point"],
    }

    def test_the_report_of_an_experiment_is_a_dict(self):
        report = oscar_sim.simulate(self.EXPERIMENT)
        self.assertEqual([method["name"] for method in report["methods"]], ["fp32", "fixed_point"])

    def test_overrides_are_as_on_the_command_line(self):
        slow, fast = (
            oscar_sim.simulate(self.EXPERIMENT, {"network.link.bandwidth": b})["methods"][0]["allreduce_ps"]
            for b in ("1Gbps", "100Gbps")
        )
        self.assertGreater(slow, 10 * fast)

    def test_numbers_of_numpy_paths_and_tuples_are_as_plain_ones(self):
        of_numpy = {
            "trace": Path("traces/lenet-fmnist"),
            "ranks": np.int64(4),
            "iterations": {"first": np.uint8(5), "count": np.array([1])[0]},
            "methods": ("fp32", np.str_("fixed_point")),
        }
        plain, same = oscar_sim.simulate(self.EXPERIMENT), oscar_sim.simulate(of_numpy, {"seed": np.int32(1)})
        self.assertEqual(plain["methods"], same["methods"])

    def test_wrong_input_is_named_by_its_key_path_and_not_by_a_file_that_is_gone(self):
        for config, overrides, words in (
            ({"trase": "x"}, {}, r"^trase: no such parameter .did you mean trace"),
            ({"network": {"link": {"bandwidth": 400}}}, {}, r"^network\.link\.bandwidth: '400' lacks its unit"),
            (
                {"methods": [{"kind": "asc", "split": {1, 2}}]},
                {},
                r"^methods\.0\.split: \{1, 2\} is a set; a configuration holds",
            ),
            (
                {"quantiser": {"percentile": np.float64("nan")}},
                {},
                r"^quantiser\.percentile: nan is a float; a configuration holds finite",
            ),
            ({"network": {3: 1}}, {}, r"^network\.3: a key must be a text, not 3"),
            ({}, {"ranks": Path("eight")}, r"^--set ranks=\"eight\": ranks: "),
            ({}, {"gpu": {1}}, r"^gpu: \{1\} is a set"),
        ):
            with self.subTest(words), self.assertRaisesRegex(oscar_sim.ConfigError, words):
                oscar_sim.simulate({**self.EXPERIMENT, **config}, overrides)

    def test_a_package_without_its_program_says_how_to_name_one_wherever_it_lies(self):
        with tempfile.TemporaryDirectory(dir="/tmp") as folder:  # two folders below the root
            shutil.copytree(Path(oscar_sim.__file__).parent, f"{folder}/oscar_sim", ignore_dangling_symlinks=True)
            said = subprocess.run(
                [sys.executable, "-c", "import oscar_sim; oscar_sim.simulate({})"],
                capture_output=True,
                text=True,
                check=False,
                env={"PYTHONPATH": folder, "PATH": "/none", **self.SANITIZER},
            ).stderr
        self.assertTrue(
            said.endswith(
                "FileNotFoundError: oscar-sim: not found beside this package nor on the PATH; name it in OSCAR_SIM\n"
            ),
            said,
        )

    def test_an_error_in_a_file_keeps_its_line_and_column(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "a.yaml"
            file.write_text("trace: traces/lenet-fmnist\nrankz: 8\n", encoding="utf-8")
            with self.assertRaisesRegex(
                oscar_sim.ConfigError, f"^{re.escape(str(file))}:2:1: rankz: no such parameter"
            ):
                oscar_sim.simulate(file)


class Traces(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name) / "mine"

    def test_gradients_become_a_trace_that_is_simulated(self):
        gradients = np.stack([[normal(10 * i + rank) for rank in range(3)] for i in range(2)])
        oscar_sim.write_trace(self.folder, gradients.astype(np.float64), name="my own")
        report = oscar_sim.simulate(
            {"trace": self.folder, "ranks": 3, "iterations": {"first": 1, "count": 1}, "methods": ["fp32"]}
        )
        self.assertEqual(
            (report["trace"]["name"], report["trace"]["elements"], report["trace"]["iterations"]), ("my own", 5000, [1])
        )
        self.assertTrue(report["methods"][0]["sums_match_reference"])

    def test_wrong_gradients_are_named_by_rank_and_element_and_leave_no_folder(self):
        gradients = np.ones((2, 5))
        gradients[1, 3] = 1e300  # infinite in fp32
        for wrong, error, words in (
            (gradients, ValueError, "element 3 of rank 1 in iteration 0 is inf; a trace holds finite values only"),
            (np.ones(5), ValueError, r"the shape must be \[ranks, elements\] or .* not \[5\]"),
            (["a"], TypeError, "gradients: real numbers are wanted"),
        ):
            with self.subTest(words), self.assertRaisesRegex(error, words):
                oscar_sim.write_trace(self.folder, wrong)
        self.assertFalse(self.folder.exists())

    def test_two_dimensions_are_ranks_of_one_iteration_and_warned_of(self):
        words = r"the shape \[2, 5\] is \[ranks, elements\] of one iteration; write \[iterations, ranks, elements\]"
        with self.assertWarnsRegex(UserWarning, words):
            oscar_sim.write_trace(self.folder, np.ones((2, 5)))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            oscar_sim.write_trace(self.folder.with_name("other"), np.ones((1, 2, 5)))
        for folder in (self.folder, self.folder.with_name("other")):
            report = oscar_sim.simulate(
                {"trace": folder, "ranks": 2, "iterations": {"first": 0, "count": 1}, "methods": ["fp32"]}
            )
            self.assertEqual((report["trace"]["ranks"], report["trace"]["elements"]), (2, 5))

    def test_one_rank_is_warned_of(self):
        with self.assertWarnsRegex(UserWarning, "the arrays have one rank, and a collective needs two"):
            oscar_sim.write_trace(self.folder, np.ones((1, 5)))
        self.assertTrue(self.folder.exists())

    def test_what_is_no_experiment_is_refused_with_a_remedy(self):
        for wrong in (None, 3, ["fp32"]):
            with self.subTest(wrong), self.assertRaisesRegex(TypeError, "config: is of .*write a mapping"):
                oscar_sim.simulate(wrong)

    def test_a_folder_with_something_in_it_is_not_written_into(self):
        self.folder.mkdir()
        (self.folder / "mine.txt").touch()
        with self.assertRaisesRegex(oscar_sim.ConfigError, "exists and is not empty"):
            oscar_sim.write_trace(self.folder, np.ones((1, 2, 5)))


class Texts(unittest.TestCase):
    def test_objects_print_as_they_are_made(self):
        step = oscar_sim.Compressor("top_k", ranks=1, factor=10.0).step([normal(1)])
        table = oscar_sim.Codec("asc").learn(np.arange(8, dtype=np.int32), 8)
        for made, text in (
            (
                oscar_sim.Quantiser("percentile", bits=4, percentile=99),
                "Quantiser('percentile', bits=4, percentile=99)",
            ),
            (oscar_sim.Quantiser(bits=4), "Quantiser('per_tensor', bits=4)"),
            (
                oscar_sim.Codec("asc", adapt="symbol"),
                "Codec('asc', lanes=64, lane_values=1024, min_lane_values=64, adapt='symbol')",
            ),
            (oscar_sim.Compressor("dense", ranks=2), "Compressor('dense', ranks=2, seed=1, feedback=False)"),
            (oscar_sim.Context(epoch=3, chunk=7), "Context(epoch=3, timestep=0, chunk=7)"),
            (
                step.exchanges[0],
                f"<Exchange values and indices: all_gather of {step.exchanges[0].padded} bytes a rank>",
            ),
            (table, f"<Table of width 8, check {table.check:#06x}>"),
        ):
            with self.subTest(text):
                self.assertEqual(repr(made), text)

    def test_the_version_is_that_of_the_program(self):
        program = Path(oscar_sim.__file__).parents[2] / "oscar-sim"
        printed = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
        self.assertRegex(printed, rf"^(oscar-sim )?{re.escape(oscar_sim.__version__)}\b")


if __name__ == "__main__":
    unittest.main()
