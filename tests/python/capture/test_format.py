"""The traces that oscar_capture writes obey the rules of docs/trace-format.md."""

import os
import unittest

from support import SIZES, all_traces, found, gradients, manifest, trace_folder

import numpy as np

import capture_jobs as jobs
from oscar_capture.manifest import xxhash


class Format(unittest.TestCase):
    """The rules of docs/trace-format.md."""

    def test_folder_holds_the_described_files_and_nothing_else(self):
        for folder, trace in all_traces():
            files = [entry["file"] for entry in trace["iterations"]]
            self.assertEqual(files, [f"iteration-{i:05}.npy" for i in range(len(files))])
            self.assertEqual({path.name for path in folder.iterdir()}, {"trace.yaml", *files})
            self.assertEqual(os.listdir(folder.parent), ["trace"])
            self.assertEqual(folder.stat().st_mode & 0o777, 0o755)

    def test_arrays_have_the_described_type_shape_and_length(self):
        for folder, trace in all_traces():
            for entry in trace["iterations"]:
                with open(folder / entry["file"], "rb") as file:
                    self.assertEqual(np.lib.format.read_magic(file), (1, 0))
                    shape, fortran, dtype = np.lib.format.read_array_header_1_0(file)
                    self.assertEqual(
                        (shape, fortran, dtype.str),
                        ((trace["ranks"], trace["parameters"]), False, "<" + trace.get("dtype", "f4")),
                    )
                    self.assertEqual(len(file.read()), dtype.itemsize * trace["ranks"] * trace["parameters"])

    def test_layers_are_the_named_parameters_in_order(self):
        expected = [(name, list(tensor.shape)) for name, tensor in jobs.make().named_parameters()]
        for size in SIZES:
            trace = manifest(trace_folder(size, "plain"))
            self.assertEqual([(layer["name"], layer["shape"]) for layer in trace["layers"]], expected)
            self.assertEqual(trace["parameters"], sum(int(np.prod(shape)) for _, shape in expected))

    def test_ready_times_are_positive_below_the_step_time_and_in_the_order_of_use(self):
        for scenario in ("plain", "accumulate"):
            layers = manifest(trace_folder(2, scenario))["layers"]
            ready = {layer["name"]: int(layer["ready"][:-2]) for layer in layers}
            recorded = [found(2)[rank][scenario].seconds[step] for rank in range(2) for step in (0, 1, 3, 4)]
            self.assertGreater(min(ready.values()), 0)
            self.assertLess(max(ready.values()), 1e6 * np.mean(recorded) + 1)
            self.assertLess(ready["head.weight"], ready["middle.weight"])
            self.assertLess(ready["middle.weight"], ready["conv.weight"])
            self.assertTrue(all(layer["ready"].endswith("us") for layer in layers))

    def test_iterations_have_step_stage_and_mean_loss(self):
        trace = manifest(trace_folder(4, "plain"))
        self.assertEqual(
            [(entry["step"], entry["stage"]) for entry in trace["iterations"]],
            [(0, "early"), (1, "early"), (3, "late"), (4, "late")],
        )
        for entry in trace["iterations"]:
            losses = [found(4)[rank]["plain"].loss[entry["step"]] for rank in range(4)]
            self.assertAlmostEqual(entry["loss"], np.mean(losses), places=5)
        self.assertEqual(trace["loss_curve"], {"step": [0], "loss": [trace["iterations"][0]["loss"]]})

    def test_loss_that_was_not_given_is_left_out(self):
        trace = manifest(trace_folder(2, "accumulate"))
        self.assertNotIn("loss_curve", trace)
        self.assertFalse([entry for entry in trace["iterations"] if "loss" in entry])

    def test_description_is_what_was_given_or_not_stated(self):
        trace = manifest(trace_folder(2, "plain"))
        self.assertEqual(
            (trace["format"], trace["name"], trace["model"]), (2 if xxhash else 1, "trace", "small: a CNN")
        )
        self.assertEqual(trace["data"], {"name": "noise", "licence": "none", "source": "not stated"})
        self.assertEqual((trace["batch_per_rank"], trace["ranks"], trace["seed"]), (jobs.BATCH, 2, 3))
        self.assertEqual((trace["optimiser"], trace["validation"]["late"]), ("not stated", 0.75))
        self.assertIn("gloo", trace["framework"])
        self.assertNotIn("converted", trace["values"])
        self.assertNotIn("seed", manifest(trace_folder(2, "view")))

    def test_keys_are_those_the_reader_knows(self):
        known = {
            "format",
            "name",
            "model",
            "parameters",
            "data",
            "optimiser",
            "batch_per_rank",
            "ranks",
            "seed",
            "framework",
            "values",
            "dtype",
            "layers",
            "iterations",
            "validation",
            "loss_curve",
        }
        for folder, trace in all_traces():
            self.assertLessEqual(set(trace), known, folder)
            self.assertLessEqual({"format", "parameters", "ranks", "layers", "iterations"}, set(trace))
            self.assertTrue(all(set(layer) == {"name", "shape", "ready"} for layer in trace["layers"]))
            self.assertTrue(
                all(set(entry) <= {"file", "step", "stage", "loss", "scale", "hash"} for entry in trace["iterations"])
            )

    @unittest.skipUnless(xxhash, "python3-xxhash is not installed")
    def test_each_iteration_says_the_hash_of_its_file(self):
        for folder, trace in all_traces():
            for entry in trace["iterations"]:
                self.assertEqual(entry["hash"], xxhash.xxh3_64((folder / entry["file"]).read_bytes()).hexdigest())

    def test_conversion_from_fp16_is_said(self):
        self.assertIn("float16 gradients were converted to fp32", manifest(trace_folder(2, "half"))["values"])

    def test_seven_line_example_captures(self):
        trace = manifest(trace_folder(2, "example"))
        self.assertEqual([entry["step"] for entry in trace["iterations"]], [1, 2])
        self.assertEqual(len(jobs.EXAMPLE.splitlines()), 7)
        plain = gradients(trace_folder(2, "plain"))[1]["conv.weight"]
        np.testing.assert_array_equal(gradients(trace_folder(2, "example"))[1]["conv.weight"], plain)


if __name__ == "__main__":
    unittest.main()
