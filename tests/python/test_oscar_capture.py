"""Tests of python/oscar_capture: real DDP trainings over gloo with 2, 3 and 4 processes.

Run: PYTHONPATH=python /usr/bin/python3 -m unittest tests/python/test_oscar_capture.py
"""

import importlib.util
import itertools
import os
import sys
import tempfile
import unittest
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np
import yaml

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "python"), str(Path(__file__).parent)]
TORCH = importlib.util.find_spec("torch") is not None
if TORCH:
    import torch
    import torch.nn.functional as F

    import capture_jobs as jobs
    from oscar_capture import CaptureError, logical
    from oscar_capture.layers import in_c_order, is_dense
    from oscar_capture.windows import Windows

SIZES = (2, 3, 4)
FOLDER, FOUND = None, {}


def setUpModule():
    """Run the trainings: FOUND[size][rank][scenario] is what happened, FOLDER/size/scenario/trace the trace."""
    global FOLDER
    if not TORCH:
        raise unittest.SkipTest("PyTorch is missing (Debian package python3-torch)")
    torch.set_num_threads(1)
    temporary = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(temporary.cleanup)
    FOLDER = Path(temporary.name)
    for size in SIZES:
        (FOLDER / str(size)).mkdir()
        FOUND[size] = jobs.run(size, FOLDER / str(size))


def trace_folder(size, scenario):
    return FOLDER / str(size) / scenario / "trace"


def manifest(folder):
    return yaml.safe_load((folder / "trace.yaml").read_text(encoding="utf-8"))


def gradients(folder):
    """{step: {layer: fp32 [ranks, size]}} of a trace."""
    description, found = manifest(folder), {}
    sizes = [int(np.prod(layer["shape"])) for layer in description["layers"]]
    for entry in description["iterations"]:
        parts = np.split(np.load(folder / entry["file"]), np.cumsum(sizes)[:-1], axis=1)
        found[entry["step"]] = {layer["name"]: part for layer, part in zip(description["layers"], parts)}
    return found


def bits(array):
    return np.ascontiguousarray(array, np.float32).view(np.uint32)


def every_order(rows):
    """All the fp32 values that summing the rows [ranks, elements] can give: [orders, elements].

    An addition is commutative, but not associative in floating point, and a ring adds each piece of a
    bucket in another order of the ranks. So: all ways to merge two of the terms, again and again.
    """
    if len(rows) == 1:
        return [rows[0]]
    return [total for i, j in itertools.combinations(range(len(rows)), 2)
            for total in every_order([rows[i] + rows[j]] + [r for k, r in enumerate(rows) if k not in (i, j)])]


def run_logical(folder, ranks, steps, windows, **about):
    """The trainings of capture_jobs in one process."""
    model = jobs.make()
    optimiser = jobs.optimiser_of(model)
    recorder = logical.Recorder(model, folder, ranks, windows=windows, **about)
    for step in range(steps):
        for rank in range(ranks):
            with recorder.worker(rank):
                images, labels = jobs.batch(rank, step)
                recorder.loss(F.cross_entropy(model(images), labels)).backward()
        recorder.average()
        optimiser.step()
    recorder.finish()
    return model


class Exact(unittest.TestCase):
    """What is recorded is what DDP averaged.

    DDP multiplies each rank's gradient g by 1/n and then sums over the ranks. With 2 ranks there is
    one such sum, whatever the order, so the applied gradient must be g0/2 + g1/2 in every bit. With
    more the order is the ring's, which depends on the place in the bucket: the applied value must be,
    bit for bit, one of the sums that some order gives.
    """

    def recorded_and_applied(self, size, scenario):
        recorded = gradients(trace_folder(size, scenario))
        self.assertEqual(sorted(recorded), [0, 1, 3, 4])
        for step, layers in recorded.items():
            for name, rows in layers.items():
                yield step, name, rows, FOUND[size][0][scenario].applied[step][name]

    def test_several_buckets_that_are_reordered_after_the_first_iteration(self):
        for size in SIZES:
            buckets = FOUND[size][0]["plain"].buckets
            self.assertGreaterEqual(len(buckets[1]), 3)  # iteration 0 has one bucket
            self.assertNotEqual(sum(buckets[0], []), sum(buckets[1], []))
            self.assertNotEqual(sum(buckets[1], []), list(FOUND[size][0]["plain"].parameters)[::-1])

    def test_mean_of_two_ranks_is_the_applied_gradient_bit_for_bit(self):
        for scenario in set(jobs.SCENARIOS) - {"half", "unused"}:
            for step, name, rows, applied in self.recorded_and_applied(2, scenario):
                with self.subTest(scenario, step=step, name=name):
                    np.testing.assert_array_equal(bits(rows.mean(0)), bits(applied.numpy().reshape(-1)))

    def test_sum_of_shares_in_some_order_is_the_applied_gradient_bit_for_bit(self):
        for size, scenario in itertools.product((3, 4), ("plain", "view-none", "accumulate-view")):
            for step, name, rows, applied in self.recorded_and_applied(size, scenario):
                with self.subTest(scenario, size=size, step=step, name=name):
                    shares = list(rows * np.float32(1 / size))
                    equal = bits(np.stack(every_order(shares))) == bits(applied.numpy().reshape(-1))
                    self.assertTrue(equal.any(0).all())

    def test_division_in_the_buckets_own_memory_is_followed_too(self):
        # Here DDP divides by 3 instead of multiplying by 1/3, which differs in the last bit.
        for step, name, rows, applied in self.recorded_and_applied(3, "view"):
            shares = list(rows / np.float32(3) if step else rows * np.float32(1 / 3))
            equal = bits(np.stack(every_order(shares))) == bits(applied.numpy().reshape(-1))
            self.assertTrue(equal.any(0).all(), (step, name))

    def test_fp16_gradients_average_to_the_applied_ones(self):
        for step, name, rows, applied in self.recorded_and_applied(2, "half"):
            exact = np.float16 if name == "gain" else np.float32
            mean = (rows[0] / 2).astype(exact) + (rows[1] / 2).astype(exact)
            np.testing.assert_array_equal(mean, applied.numpy().reshape(-1), str((step, name)))

    def test_ranks_and_iterations_differ(self):
        for size in SIZES:
            rows = [row.tobytes() for layers in gradients(trace_folder(size, "plain")).values()
                    for row in layers["middle.weight"]]
            self.assertEqual(len(set(rows)), 4 * size)

    def test_gradients_summed_under_no_sync_are_one_iteration(self):
        rows = gradients(trace_folder(2, "accumulate"))[0]["head.weight"]
        model = jobs.make()
        for rank in range(2):
            model.zero_grad()
            for part in range(2):
                images, labels = jobs.batch(rank, 0, part)
                F.cross_entropy(model(images), labels).backward()
            np.testing.assert_array_equal(rows[rank], model.head.weight.grad.numpy().reshape(-1))

    def test_unused_tensor_is_zero_and_frozen_one_is_no_layer(self):
        layers = gradients(trace_folder(2, "unused"))[3]
        self.assertNotIn("frozen", layers)
        np.testing.assert_array_equal(layers["idle"], np.zeros((2, 7), np.float32))
        ready = {layer["name"]: layer["ready"] for layer in manifest(trace_folder(2, "unused"))["layers"]}
        self.assertEqual(ready["idle"], "0us")


class Harmless(unittest.TestCase):
    def test_parameters_are_those_of_ddp_without_a_hook_bit_for_bit(self):
        for size in SIZES:
            for scenario, rank in itertools.product(jobs.scenarios(size), range(size)):
                with self.subTest(scenario, size=size, rank=rank):
                    found = FOUND[size][rank]
                    for name, value in found[f"{scenario} without"].parameters.items():
                        same = found[scenario].parameters[name].numpy().tobytes() == value.numpy().tobytes()
                        self.assertTrue(same, name)

    def test_applied_gradients_are_those_of_ddp_without_a_hook(self):
        for size in SIZES:
            for scenario in jobs.scenarios(size):
                with self.subTest(scenario, size=size):
                    for with_hook, without in zip(FOUND[size][0][scenario].applied,
                                                  FOUND[size][0][f"{scenario} without"].applied):
                        for name, value in without.items():
                            if value is not None:
                                self.assertEqual(with_hook[name].numpy().tobytes(), value.numpy().tobytes())

    def test_training_changed_the_parameters(self):
        for name, value in jobs.make().named_parameters():
            self.assertFalse(torch.equal(value, FOUND[2][0]["plain"].parameters[name]), name)


class Format(unittest.TestCase):
    """The rules of traces/README.md."""

    def all_traces(self):
        for folder in sorted(FOLDER.glob("*/*/trace")):
            yield folder, manifest(folder)

    def test_folder_holds_the_described_files_and_nothing_else(self):
        for folder, trace in self.all_traces():
            files = [entry["file"] for entry in trace["iterations"]]
            self.assertEqual(files, [f"iteration-{i:05}.npy" for i in range(len(files))])
            self.assertEqual({path.name for path in folder.iterdir()}, {"trace.yaml", *files})
            self.assertEqual(os.listdir(folder.parent), ["trace"])
            self.assertEqual(folder.stat().st_mode & 0o777, 0o755)

    def test_arrays_have_the_described_type_shape_and_length(self):
        for folder, trace in self.all_traces():
            for entry in trace["iterations"]:
                with open(folder / entry["file"], "rb") as file:
                    self.assertEqual(np.lib.format.read_magic(file), (1, 0))
                    shape, fortran, dtype = np.lib.format.read_array_header_1_0(file)
                    self.assertEqual((shape, fortran, dtype.str),
                                     ((trace["ranks"], trace["parameters"]), False, "<f4"))
                    self.assertEqual(len(file.read()), 4 * trace["ranks"] * trace["parameters"])

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
            recorded = [FOUND[2][rank][scenario].seconds[step] for rank in range(2) for step in (0, 1, 3, 4)]
            self.assertGreater(min(ready.values()), 0)
            self.assertLess(max(ready.values()), 1e6 * np.mean(recorded) + 1)
            self.assertLess(ready["head.weight"], ready["middle.weight"])
            self.assertLess(ready["middle.weight"], ready["conv.weight"])
            self.assertTrue(all(layer["ready"].endswith("us") for layer in layers))

    def test_iterations_have_step_stage_and_mean_loss(self):
        trace = manifest(trace_folder(4, "plain"))
        self.assertEqual([(entry["step"], entry["stage"]) for entry in trace["iterations"]],
                         [(0, "early"), (1, "early"), (3, "late"), (4, "late")])
        for entry in trace["iterations"]:
            losses = [FOUND[4][rank]["plain"].loss[entry["step"]] for rank in range(4)]
            self.assertAlmostEqual(entry["loss"], np.mean(losses), places=5)
        self.assertEqual(trace["loss_curve"], {"step": [0], "loss": [trace["iterations"][0]["loss"]]})

    def test_loss_that_was_not_given_is_left_out(self):
        trace = manifest(trace_folder(2, "accumulate"))
        self.assertNotIn("loss_curve", trace)
        self.assertFalse([entry for entry in trace["iterations"] if "loss" in entry])

    def test_description_is_what_was_given_or_not_stated(self):
        trace = manifest(trace_folder(2, "plain"))
        self.assertEqual((trace["format"], trace["name"], trace["model"]), (1, "trace", "small: a CNN"))
        self.assertEqual(trace["data"], {"name": "noise", "licence": "none", "source": "not stated"})
        self.assertEqual((trace["batch_per_rank"], trace["ranks"], trace["seed"]), (jobs.BATCH, 2, 3))
        self.assertEqual((trace["optimiser"], trace["validation"]["late"]), ("not stated", 0.75))
        self.assertIn("gloo", trace["framework"])
        self.assertNotIn("converted", trace["values"])
        self.assertNotIn("seed", manifest(trace_folder(2, "view")))

    def test_keys_are_those_the_reader_knows(self):
        known = {"format", "name", "model", "parameters", "data", "optimiser", "batch_per_rank", "ranks", "seed",
                 "framework", "values", "layers", "iterations", "validation", "loss_curve"}
        for folder, trace in self.all_traces():
            self.assertLessEqual(set(trace), known, folder)
            self.assertLessEqual({"format", "parameters", "ranks", "layers", "iterations"}, set(trace))
            self.assertTrue(all(set(layer) == {"name", "shape", "ready"} for layer in trace["layers"]))
            self.assertTrue(all(set(entry) <= {"file", "step", "stage", "loss"} for entry in trace["iterations"]))

    def test_conversion_from_fp16_is_said(self):
        self.assertIn("float16 gradients were converted to fp32", manifest(trace_folder(2, "half"))["values"])

    def test_six_line_example_captures(self):
        trace = manifest(trace_folder(2, "example"))
        self.assertEqual([entry["step"] for entry in trace["iterations"]], [1, 2])
        self.assertEqual(len(jobs.EXAMPLE.splitlines()), 6)
        plain = gradients(trace_folder(2, "plain"))[1]["conv.weight"]
        np.testing.assert_array_equal(gradients(trace_folder(2, "example"))[1]["conv.weight"], plain)


class Layout(unittest.TestCase):
    def test_channels_last_gradients_are_written_in_c_order(self):
        usual = gradients(trace_folder(2, "plain"))[0]["conv.weight"]
        other = gradients(trace_folder(2, "channels-last"))[0]["conv.weight"]
        np.testing.assert_allclose(other, usual, rtol=1e-4, atol=1e-6)

    def test_elements_of_a_dense_tensor_come_into_c_order(self):
        tensor = torch.empty(2, 3, 4, 5).to(memory_format=torch.channels_last)
        value = torch.arange(120.).view(2, 3, 4, 5)
        in_memory = value.permute(0, 2, 3, 1).reshape(-1)
        self.assertTrue(torch.equal(in_c_order(in_memory, tensor), value.reshape(-1)))

    def test_only_tensors_without_gaps_are_dense(self):
        self.assertTrue(is_dense(torch.empty(4, 1, 3).permute(2, 1, 0)))
        self.assertFalse(is_dense(torch.empty(4, 6)[:, :3]))
        self.assertFalse(is_dense(torch.empty(1, 3).expand(4, 3)))


class Refusals(unittest.TestCase):
    """Each is one line, the same kind on every rank, and nothing is written."""

    def test_every_rank_gets_one_line(self):
        words = {"existing": "not empty", "one rank only": "(first step >= 0, count >= 1)",
                 "not DDP": "DistributedDataParallel", "unknown": "'license'", "filled meanwhile": "not empty",
                 "missing": "after 4 iterations, so iterations 4 are missing", "twice": "finished already"}
        ranks = [FOUND[2][rank]["refusals"] for rank in range(2)]
        self.assertEqual(set(ranks[0]), set(words))
        for name, word in words.items():
            with self.subTest(name):
                messages = [rank[name] for rank in ranks]
                self.assertTrue(all(messages))
                self.assertNotIn("\n", "".join(messages))
                self.assertTrue(any(word in message for message in messages), messages)
                self.assertTrue(all(word in message or "another rank" in message for message in messages), messages)

    def test_nothing_is_left_behind(self):
        folder = FOLDER / "2" / "refusals"
        self.assertEqual(sorted(os.listdir(folder)), ["full", "late", "missing"])
        self.assertEqual(os.listdir(folder / "full"), ["note"])
        self.assertEqual(os.listdir(folder / "late"), ["note"])
        self.assertEqual(os.listdir(folder / "missing"), [])


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
        for arguments in ({}, {"first": 1}, {"count": 1}, {"first": 1, "count": 1, "windows": {"a": (1, 1)}},
                          {"windows": {}}, {"windows": {"a": 3}}, {"windows": {"a": (1, 0)}},
                          {"windows": {"a": (-1, 2)}}, {"windows": {"a": (1.0, 2)}}, {"windows": {3: (1, 2)}},
                          {"windows": {"a": (1, 3), "b": (3, 1)}}, {"windows": [(1, 2)]}):
            with self.subTest(arguments), self.assertRaises(CaptureError) as caught:
                Windows(**arguments)
            self.assertNotIn("\n", str(caught.exception))


class Logical(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.parent = Path(temporary.name)
        self.folder = self.parent / "trace"

    def test_first_step_is_that_of_gloo_processes_bit_for_bit(self):
        for size in SIZES:
            folder = self.parent / str(size)
            run_logical(folder, size, 1, {"early": (0, 1)})
            theirs = gradients(trace_folder(size, "plain"))[0]
            for name, rows in gradients(folder)[0].items():
                np.testing.assert_array_equal(bits(rows), bits(theirs[name]), name)

    def test_two_workers_train_like_two_gloo_processes_bit_for_bit(self):
        model = run_logical(self.folder, 2, jobs.STEPS, jobs.WINDOWS)
        theirs = gradients(trace_folder(2, "plain"))
        for step, layers in gradients(self.folder).items():
            for name, rows in layers.items():
                np.testing.assert_array_equal(bits(rows), bits(theirs[step][name]), (step, name))
        for name, value in model.named_parameters():
            self.assertTrue(torch.equal(value, FOUND[2][0]["plain"].parameters[name]), name)

    def test_trace_is_the_one_of_gloo_processes_but_for_time_and_framework(self):
        run_logical(self.folder, 2, jobs.STEPS, jobs.WINDOWS, **jobs.SCENARIOS["plain"]["about"])
        ours, theirs = manifest(self.folder), manifest(trace_folder(2, "plain"))
        for layer in ours["layers"] + theirs["layers"]:
            self.assertGreater(int(layer.pop("ready")[:-2]), 0)
        for trace in (ours, theirs):
            trace.pop("framework")
        theirs.pop("validation")
        self.assertEqual(ours, theirs)
        self.assertEqual(os.listdir(self.parent), ["trace"])

    def test_missing_iterations_write_nothing(self):
        with self.assertRaisesRegex(CaptureError, "iterations 3 to 4 are missing"):
            run_logical(self.folder, 2, 3, jobs.WINDOWS)
        self.assertEqual(os.listdir(self.parent), [])

    def test_existing_folder_is_refused_and_an_empty_one_is_filled(self):
        self.folder.mkdir()
        (self.folder / "note").write_text("mine")
        with self.assertRaisesRegex(CaptureError, "not empty"):
            logical.Recorder(jobs.make(), self.folder, 2, first=0, count=1)
        self.assertEqual(os.listdir(self.folder), ["note"])
        (self.folder / "note").unlink()
        run_logical(self.folder, 2, 1, {"early": (0, 1)})
        self.assertEqual(len(os.listdir(self.folder)), 2)

    def test_workers_out_of_order_are_refused(self):
        recorder = logical.Recorder(jobs.make(), self.folder, 2, first=0, count=1)
        with self.assertRaisesRegex(CaptureError, r"worker\(0\) comes next"), recorder.worker(1):
            pass
        with self.assertRaisesRegex(CaptureError, r"worker\(0\) comes next"):
            recorder.average()
        recorder.discard()

    def test_discarded_capture_leaves_nothing(self):
        recorder = logical.Recorder(jobs.make(), self.folder, 1, first=0, count=1)
        with recorder.worker(0):
            pass
        recorder.discard()
        self.assertEqual(os.listdir(self.parent), [])
        with self.assertRaisesRegex(CaptureError, "finished already"):
            recorder.finish()

    def test_failed_worker_can_be_run_again(self):
        model = jobs.make()
        recorder = logical.Recorder(model, self.folder, 1, first=0, count=1)
        with self.assertRaises(KeyError), recorder.worker(0):
            raise KeyError
        with recorder.worker(0):
            model(jobs.batch(0, 0)[0]).sum().backward()
        recorder.average()
        recorder.finish()
        self.assertEqual(manifest(self.folder)["ranks"], 1)

    def test_wrong_arguments_are_refused(self):
        for arguments in ({"ranks": 0}, {"ranks": 2.0}, {"ranks": 2, "seed": -1}, {"ranks": 2, "seed": "1"},
                          {"ranks": 2, "model_name": "x"}, {"ranks": 2, "data": 3}):
            with self.subTest(arguments), self.assertRaises((CaptureError)) as caught:
                logical.Recorder(jobs.make(), self.folder, first=0, count=1, **arguments)
            self.assertNotIn("\n", str(caught.exception))
        with self.assertRaisesRegex(CaptureError, "no parameter"):
            logical.Recorder(torch.nn.ReLU(), self.folder, 2, first=0, count=1)
        self.assertEqual(os.listdir(self.parent), [])


class Sharded(unittest.TestCase):
    """The FSDP hook, called as FSDP calls it, with a reduce-scatter made of gloo's all-reduce."""

    SCENARIOS = ("sharded", "sharded-padded", "unsharded")

    def test_layers_carry_names_and_shapes_unit_by_unit(self):
        for scenario in self.SCENARIOS:
            layers = manifest(trace_folder(2, scenario))["layers"]
            self.assertEqual([(layer["name"], layer["shape"]) for layer in layers],
                             [("first.weight", [5, 4]), ("first.bias", [5]),
                              ("second.weight", [3, 5]), ("second.bias", [3])])
            ready = [int(layer["ready"][:-2]) for layer in layers]
            self.assertEqual((ready[0], ready[2]), (ready[1], ready[3]))
            self.assertGreater(ready[0], ready[2])

    def test_rows_are_each_ranks_own_gradient_without_padding(self):
        for size, scenario in itertools.product(SIZES, self.SCENARIOS):
            for step, layers in gradients(trace_folder(size, scenario)).items():
                for rank in range(size):
                    for unit, own in zip(("first", "second"), FOUND[size][rank][scenario].own[step]):
                        weight, bias = layers[f"{unit}.weight"][rank], layers[f"{unit}.bias"][rank]
                        np.testing.assert_array_equal(weight, own[:len(weight)].numpy())
                        np.testing.assert_array_equal(bias, own[-len(bias):].numpy())

    def test_reduced_shards_are_the_mean_over_the_ranks(self):
        for size, scenario in itertools.product(SIZES, self.SCENARIOS):
            for step in range(3):
                for unit in (0, 1):
                    mean = torch.stack([FOUND[size][rank][scenario].own[step][unit] for rank in range(size)]).mean(0)
                    name = ("first", "second")[unit]
                    parts = [FOUND[size][rank][scenario].reduced[step][name] for rank in range(size)]
                    joined = parts[0] if scenario == "unsharded" else torch.cat(parts)[:len(mean)]
                    torch.testing.assert_close(joined, mean, rtol=1e-6, atol=1e-8)
                    if size == 2:
                        self.assertTrue(torch.equal(joined, mean))


if __name__ == "__main__":
    unittest.main()
