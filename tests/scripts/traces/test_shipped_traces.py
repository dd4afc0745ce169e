"""The traces of this repository agree with their descriptions, and with what traces/README.md says of them.

Run: /usr/bin/python3 -m unittest tests/scripts/traces/test_shipped_traces.py
"""

import math
import re
import sys
import unittest
from pathlib import Path

import numpy as np
import yaml

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "python"))

from oscar_workloads.workloads import SHIPPED

WINDOWS = {
    "resnet50-window": ("resnet50-fmnist", 2),
    "gpt2-window": ("gpt2-kjv", 6),
    "vgg16-window": ("vgg16-fmnist", 4),
}  # of a bucket of a trace
README = (ROOT / "traces" / "README.md").read_text(encoding="utf-8")


def description(folder):
    return yaml.safe_load((folder / "trace.yaml").read_text(encoding="utf-8"))


def gradients(folder):
    """All iterations of a trace as stored, shape [iterations, ranks, elements]."""
    return np.stack([np.load(folder / entry["file"]) for entry in description(folder)["iterations"]])


class ShippedTraces(unittest.TestCase):
    def each(self):
        """(workload, folder, trace.yaml) of every shipped trace, as a subtest each."""
        for name, workload in SHIPPED.items():
            folder = ROOT / "traces" / name
            with self.subTest(name):
                yield workload, folder, description(folder)

    def test_there_is_one_for_every_workload_and_every_window_and_no_other(self):
        folders = {path.name for path in (ROOT / "traces").iterdir() if path.is_dir()}
        self.assertEqual(folders, set(SHIPPED) | set(WINDOWS))

    def test_folder_holds_the_described_files_and_nothing_else(self):
        for _, folder, trace in self.each():
            expected = {f"iteration-{i:05}.npy" for i in range(8)}
            self.assertEqual({entry["file"] for entry in trace["iterations"]}, expected)
            self.assertEqual({path.name for path in folder.iterdir()}, expected | {"trace.yaml"})

    def test_arrays_have_the_type_and_shape_of_the_description(self):
        for _, folder, trace in self.each():
            for entry in trace["iterations"]:
                with open(folder / entry["file"], "rb") as file:
                    self.assertEqual(np.lib.format.read_magic(file), (1, 0))
                    shape, fortran, dtype = np.lib.format.read_array_header_1_0(file)
                    self.assertEqual((shape, fortran), ((trace["ranks"], trace["parameters"]), False))
                    self.assertEqual(dtype.str, "<" + trace.get("dtype", "f4"))

    def test_settings_are_those_of_the_command_without_options(self):
        for workload, _, trace in self.each():
            self.assertEqual(
                [trace[key] for key in ("ranks", "batch_per_rank", "seed")],
                [workload.ranks, workload.batch, workload.seed],
            )
            self.assertIn(f"learning rate {workload.lr:g}", trace["optimiser"])
            self.assertEqual(trace.get("dtype", "f4"), workload.dtype)
            self.assertEqual(trace["data"]["licence"], workload.source.licence)
            steps = [entry["step"] for entry in trace["iterations"]]
            self.assertEqual((steps[0], steps[-1]), (workload.early, workload.steps - 1))

    def test_values_are_finite_and_differ_between_ranks_and_iterations(self):
        for _, folder, _ in self.each():
            values = gradients(folder)
            self.assertTrue(np.isfinite(values).all())
            rows = values.reshape(-1, values.shape[-1])
            self.assertEqual(len({row.tobytes() for row in rows}), len(rows))

    def test_fp16_values_use_the_whole_range_of_their_scale(self):
        for _, folder, trace in self.each():
            if trace.get("dtype") == "f2":
                for array in np.abs(gradients(folder)):
                    self.assertTrue(2**14 <= array.max() <= 2**15)

    def test_every_layer_has_values_and_a_time(self):
        for _, folder, trace in self.each():
            layers = trace["layers"]
            self.assertEqual(sum(math.prod(layer["shape"]) for layer in layers), trace["parameters"])
            self.assertEqual(len({layer["name"] for layer in layers}), len(layers))
            largest = np.abs(gradients(folder)).max((0, 1))
            ends = np.cumsum([math.prod(layer["shape"]) for layer in layers])
            for layer, part in zip(layers, np.split(largest, ends[:-1])):
                self.assertRegex(layer["ready"], r"^[1-9]\d*us$", layer["name"])
                self.assertGreater(part.max(), 0, layer["name"])

    def test_gradients_become_ready_from_the_last_layer_to_the_first(self):
        for _, _, trace in self.each():
            ready = [int(layer["ready"][:-2]) for layer in trace["layers"]]
            self.assertGreater(ready[0], ready[-1])

    def test_two_stages_of_four_consecutive_steps(self):
        for _, _, trace in self.each():
            iterations = trace["iterations"]
            self.assertEqual([entry["stage"] for entry in iterations], ["early"] * 4 + ["late"] * 4)
            for stage in (iterations[:4], iterations[4:]):
                first = stage[0]["step"]
                self.assertEqual([entry["step"] for entry in stage], list(range(first, first + 4)))

    def test_training_went_far_beyond_chance(self):
        for workload, _, trace in self.each():
            early, late, chance = (trace["validation"][key] for key in ("early", "late", "chance"))
            if workload.source.module == "images":  # accuracy
                self.assertTrue(chance < early < 0.5 < 0.8 < late, workload.name)
            else:  # nats per character
                self.assertTrue(late < 2 < 2.5 < early < chance + 0.5 and late < chance - 1, workload.name)
            curve = trace["loss_curve"]
            self.assertEqual(curve["step"], list(range(0, workload.steps, 50)))
            self.assertEqual(len(curve["step"]), len(curve["loss"]))
            self.assertLess(curve["loss"][-1], curve["loss"][0] / 2)

    def test_readme_states_licence_command_size_and_quality(self):
        for workload, folder, trace in self.each():
            section = README.split(f"\n## {workload.name}\n")[1].split("\n## ")[0]
            size = sum(path.stat().st_size for path in folder.iterdir())
            self.assertIn(f"scripts/capture {workload.name}", section)
            self.assertIn(trace["data"]["licence"], section)
            self.assertIn(f"{size:,} bytes", section)
            self.assertIn(f"{trace['parameters']:,}", section)
            for key in ("early", "late"):
                value = trace["validation"][key]
                share = workload.source.module == "images"
                self.assertIn(f"{value:.1%}".replace("%", " %") if share else f"{value:.2f}", section)

    def test_the_workloads_traces_and_the_windows_are_below_40_mib_each(self):
        for names in (SHIPPED, WINDOWS):
            files = [path for name in names for path in (ROOT / "traces" / name).iterdir()]
            self.assertLess(sum(path.stat().st_size for path in files), 40 << 20)


class ShippedWindows(unittest.TestCase):
    def each(self):
        """(source, bucket, folder, trace.yaml) of every window, as a subtest each."""
        for name, (source, bucket) in WINDOWS.items():
            folder = ROOT / "traces" / name
            with self.subTest(name):
                yield source, bucket, folder, description(folder)

    def test_arrays_are_those_of_the_description(self):
        for _, _, folder, trace in self.each():
            self.assertEqual(
                {path.name for path in folder.iterdir()}, {"iteration-00000.npy", "iteration-00001.npy", "trace.yaml"}
            )
            self.assertEqual((trace["parameters"], trace["ranks"], trace["dtype"]), (409600, 8, "f2"))
            self.assertEqual(sum(math.prod(layer["shape"]) for layer in trace["layers"]), 409600)
            values = gradients(folder)
            self.assertEqual((values.shape, values.dtype.str), ((2, 8, 409600), "<f2"))
            self.assertTrue(np.isfinite(values).all())
            rows = values.reshape(-1, values.shape[-1])
            self.assertEqual(len({row.tobytes() for row in rows}), len(rows))

    def test_they_are_two_late_consecutive_steps_with_tensors_that_meet_in_the_middle(self):
        for _, _, _, trace in self.each():
            first, second = trace["iterations"]
            self.assertEqual((first["stage"], second["stage"], second["step"]), ("late", "late", first["step"] + 1))
            self.assertIn(409600 // 2, np.cumsum([math.prod(layer["shape"]) for layer in trace["layers"]]))

    def test_description_and_readme_say_which_part_of_which_trace_they_are(self):
        for source, bucket, folder, trace in self.each():
            self.assertRegex(
                trace["values"],
                rf"window of bucket {bucket} of {source}: values \d+ to \d+ of the gradient, the last not one "
                r"of them, of the trace with the hash [0-9a-f]{16}$",
            )
            section = README.split(f"\n## {folder.name}\n")[1].split("\n## ")[0]
            begin, end = re.search(r"values (\d+) to (\d+) of", trace["values"]).groups()
            size = sum(path.stat().st_size for path in folder.iterdir())
            for text in (
                f"{int(begin):,} to {int(end):,}",
                f"{size:,} bytes",
                trace["data"]["licence"],
                f"scripts/trace_window captures/{source} traces/{folder.name} --bucket {bucket} --iterations 2:4",
            ):
                self.assertIn(text, section)


if __name__ == "__main__":
    unittest.main()
