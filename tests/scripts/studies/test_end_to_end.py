"""Training steps of captured models in scripts/where_it_pays: thinned gradients and published times.

Run: /usr/bin/python3 -m unittest tests/scripts/studies/test_end_to_end.py
"""

import json
import math
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import numpy as np
import yaml

from tests.scripts.loading import script

script("where_it_pays")  # names the folder of oscar_summary
from oscar_summary import end_to_end, runs, thinned  # noqa: E402

LINK = "network.link.bandwidth"
MADE_WITH = {"quantiser": {"kind": "max", "bits": 5}, "gpu": {"dma_bandwidth": "1Gbps"}}  # of a report's configuration


def trace_in(folder, ranks=2):
    """A trace of three tensors whose value at each position is that position, the other rank's its negative;
    two iterations."""
    folder.mkdir(parents=True)
    layers = [
        {"name": "embedding", "shape": [100, 1000], "ready": "9us"},
        {"name": "bias", "shape": [3], "ready": "5us"},
        {"name": "dense", "shape": [64, 64], "ready": "4us"},
    ]
    elements = sum(math.prod(layer["shape"]) for layer in layers)
    iterations = [
        {"file": f"iteration-{index:05}.npy", "step": index, "scale": 0.5, "hash": f"{index:016x}"}
        for index in range(2)
    ]
    (folder / "trace.yaml").write_text(
        yaml.safe_dump(
            {"name": "t", "ranks": ranks, "parameters": elements, "layers": layers, "iterations": iterations}
        ),
        encoding="utf-8",
    )
    for index, entry in enumerate(iterations):
        np.save(
            folder / entry["file"], np.stack([np.arange(elements) + index, -np.arange(elements)]).astype(np.float32)
        )
    return elements


class Thinned(unittest.TestCase):
    def test_runs_are_disjoint_ordered_equally_spaced_and_of_the_share(self):
        for size in (1, 15, 16, 4096 * 16, 4096 * 16 + 1, 1_000_003):
            found = thinned.runs_of(size, 16)
            kept = sum(part.stop - part.start for part in found)
            self.assertEqual(kept, max(1, round(size / 16)))
            self.assertTrue(
                all(0 <= part.start < part.stop <= size and part.stop - part.start <= thinned.RUN for part in found)
            )
            self.assertTrue(all(one.stop <= other.start for one, other in zip(found, found[1:])))
            gaps = [other.start - one.start for one, other in zip(found, found[1:])]
            self.assertTrue(not gaps or max(gaps) - min(gaps) <= 2, gaps)

    def test_a_share_of_one_keeps_every_value(self):
        found = thinned.runs_of(10_000, 1)
        self.assertEqual([index for part in found for index in range(part.start, part.stop)], list(range(10_000)))

    def test_a_trace_keeps_its_layers_with_a_part_of_each_on_all_ranks(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            trace_in(folder / "whole")
            thinned.write(folder / "whole", folder / "part", 16, (1,))
            part = yaml.safe_load((folder / "part/trace.yaml").read_text(encoding="utf-8"))
            self.assertEqual([layer["shape"] for layer in part["layers"]], [[6250], [1], [256]])
            self.assertEqual([layer["ready"] for layer in part["layers"]], ["9us", "5us", "4us"])
            self.assertEqual(part["parameters"], 6250 + 1 + 256)
            [entry] = part["iterations"]
            self.assertNotEqual(entry.pop("hash", None), f"{1:016x}", "that of the whole array")
            self.assertEqual(entry, {"file": "iteration-00000.npy", "step": 1, "scale": 0.5})
            values = np.load(folder / "part/iteration-00000.npy")
            np.testing.assert_array_equal(
                values[0] - 1, -values[1]
            )  # the same positions on both ranks, of the second iteration
            self.assertTrue(np.all(np.diff(values[0]) > 0))
            self.assertTrue(np.all(values[0][:6250] - 1 < 100_000) and 100_000 <= values[0][6250] - 1 < 100_003)

    def test_a_share_of_one_keeps_the_trace(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            elements = trace_in(folder / "whole")
            thinned.write(folder / "whole", folder / "same", 1, (0, 1))
            np.testing.assert_array_equal(np.load(folder / "same/iteration-00001.npy")[0], np.arange(elements) + 1)


class PublishedTimes(unittest.TestCase):
    def test_every_model_has_a_gpu_a_batch_and_a_source(self):
        for name, model in end_to_end.models().items():
            with self.subTest(name):
                self.assertTrue(model["gpu"] and model["batch"])
                self.assertTrue(model["source"].startswith("https://"))

    def test_times_that_are_derived_are_those_of_the_published_throughput(self):
        self.assertAlmostEqual(end_to_end.models()["resnet50-fmnist"]["passes_ms"], 1000 * 256 / 2470, places=2)

    def test_the_backward_pass_takes_what_the_forward_pass_leaves_and_else_two_thirds(self):
        self.assertEqual(end_to_end.passes_ms({"passes_ms": 60, "forward_ms": 12}), (12, 48))
        self.assertEqual(end_to_end.passes_ms({"passes_ms": 60}), (20, 40))


class ReadyTimes(unittest.TestCase):
    LAYERS = [
        {"name": "conv1.weight", "shape": [2, 5]},
        {"name": "conv1.bias", "shape": [2]},
        {"name": "conv10.weight", "shape": [1, 10]},
        {"name": "fc.weight", "shape": [3, 10]},
    ]

    def test_gradients_are_ready_from_the_last_layer_to_the_first_by_multiplications(self):
        ready = end_to_end.ready_by_operations(self.LAYERS, {"outputs": {"conv1": 4, "conv10": 3}}, whole=1000)
        self.assertEqual(ready, [1000, 600, 600, 300])  # 30, 30 and 40 of 100 products; the longest beginning counts

    def test_a_tensor_that_is_used_first_and_complete_last_delays_all_others(self):
        ready = end_to_end.ready_by_operations(self.LAYERS, {"first": "conv1.weight"}, whole=1000)
        self.assertEqual(ready, [1000, 1000, 1000, 800])  # 10 of 50 products, then fc's 30, then conv10's 10

    def test_no_layer_is_ready_before_the_pass_begins(self):
        layers = [{"name": "a", "shape": [2, 2]}, {"name": "b", "shape": [2]}]
        self.assertEqual(end_to_end.ready_by_operations(layers, {}), [10**12, 1])

    def test_convolutions_of_vgg_16_take_longer_than_its_larger_dense_layers(self):
        layers = [
            {"name": "features.28.weight", "shape": [512, 512, 3, 3]},
            {"name": "classifier.0.weight", "shape": [4096, 25088]},
        ]
        first, last = end_to_end.ready_by_operations(layers, end_to_end.models()["vgg16-fmnist"], whole=1000)
        self.assertEqual((first, last), (1000, round(1000 * 4096 * 25088 / (4096 * 25088 + 196 * 512 * 512 * 9))))


class Runs(unittest.TestCase):
    def test_buckets_are_as_many_times_smaller_as_the_gradient_and_links_are_not(self):
        of = end_to_end.settings(end_to_end.Point("vgg16-fmnist", "200Gbps"), "folder")
        step = json.loads(of["step"])
        self.assertEqual(step["buckets"], {"size": f"{25 * 2**20 // 16}B", "first": f"{2**20 // 16}B"})
        self.assertEqual(set(step), {"buckets", "overlap"})
        self.assertEqual((of["scale"], of[LINK], of["payload"]), (16, "200Gbps", "size_only"))
        names = [method if isinstance(method, str) else method["name"] for method in json.loads(of["methods"])]
        self.assertEqual(tuple(names), end_to_end.METHODS)

    def test_every_model_is_run_on_every_link_and_a_whole_gradient_on_two(self):
        self.assertEqual(len([point for point in end_to_end.POINTS if point.share == 16]), 3 * 6)
        self.assertEqual(len(set(end_to_end.POINTS)), len(end_to_end.POINTS))
        self.assertEqual([point.link for point in end_to_end.POINTS if point.share == 1], ["100Gbps", "400Gbps"])

    LAYERS = [{"name": "a", "shape": [2, 5]}, {"name": "b", "shape": [3, 10]}]

    def method(self, step):
        """Buckets of b and a, ready at 5 and 20 of a backward pass of 20 after a forward pass of 10."""
        buckets = [
            {"layers": ["b"], "ready_ps": 15, "allreduce_ps": 30},
            {"layers": ["a"], "ready_ps": 30, "allreduce_ps": 4},
        ]
        return {
            "name": "fp32",
            "allreduce_ps": 34,
            "critical_path": {"dma_ps": 5},
            "step": {"step_ps": step, "forward_ps": 10, "backward_ps": 20, "buckets": buckets},
        }

    def test_buckets_are_sent_one_after_the_other_when_they_are_ready(self):
        self.assertEqual(
            end_to_end.step_ps((10, 20), [5, 20], [30, 4]), 10 + 5 + 30 + 4
        )  # the second waits for the first
        self.assertEqual(end_to_end.step_ps((10, 20), [5, 20], [3, 4]), 10 + 20 + 4)  # the first is hidden
        self.assertEqual(end_to_end.step_ps((10, 20), [5, 6], [3, 4]), 30)  # both are

    def test_the_steps_of_both_ready_times_come_of_one_report(self):
        model = {"passes_ms": 60e-9, "forward_ms": 20e-9}  # 20 and 40 ps; b is ready after 30 of 40 products
        by_operations, captured = end_to_end.placed(self.method(49), self.LAYERS, model)
        self.assertEqual(
            (by_operations["ready"], by_operations["step_ps"], by_operations["exposed_ps"]),
            ("operations", 20 + 30 + 30 + 4, 24),
        )
        self.assertEqual(
            (captured["ready"], captured["step_ps"], captured["exposed_ps"]), ("captured", 20 + 10 + 30 + 4, 4)
        )
        self.assertEqual(captured["exposed_share"], 4 / 64)

    def test_a_report_whose_step_is_not_that_of_its_buckets_is_refused(self):
        with self.assertRaisesRegex(ValueError, "fp32: the report's step of 48 ps is not that of its buckets"):
            end_to_end.placed(self.method(48), self.LAYERS, {"passes_ms": 60e-9})

    def test_a_method_has_a_row_per_ready_times(self):
        point = end_to_end.Point("vgg16-fmnist", "25Gbps")
        with tempfile.TemporaryDirectory() as name:
            (Path(name) / "vgg16-fmnist").mkdir()
            (Path(name) / "vgg16-fmnist/trace.yaml").write_text(
                yaml.safe_dump({"layers": self.LAYERS}), encoding="utf-8"
            )
            with mock.patch.object(
                runs,
                "experiment",
                return_value={"methods": [self.method(49)], "trace": {"elements": 11}, "config": MADE_WITH},
            ):
                made = end_to_end.rows_of("program", Path(name), point, Path("scratch"))
        self.assertEqual([row["ready"] for row in made], list(end_to_end.READY))
        self.assertEqual(
            {key: made[0][key] for key in ("method", "values", "critical_path.dma_ps", LINK, "share", "forward_ps")},
            {
                "method": "fp32",
                "values": 11,
                "critical_path.dma_ps": 5,
                LINK: "25Gbps",
                "share": 16,
                "forward_ps": 12_600_000_000,
            },
        )
        self.assertEqual(
            (made[0]["quantiser"], made[0]["gpu.dma_bandwidth"]),
            ("5 bits with one scale from the largest magnitude", "1Gbps"),
        )

    def test_a_gradient_is_thinned_once(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            trace_in(folder / "captures/vgg16-fmnist")
            point = end_to_end.Point("vgg16-fmnist", "25Gbps")
            with mock.patch.object(end_to_end, "LATE", (0, 1)):
                made = end_to_end.gradient(point, folder / "captures", folder)
            self.assertTrue((made / "trace.yaml").exists())
            self.assertEqual(end_to_end.gradient(point, folder / "nowhere", folder), made)


class Page(unittest.TestCase):
    def test_the_page_has_gpu_batch_times_and_source_of_every_model(self):
        page = (runs.ROOT / "results/where-it-pays/SUMMARY.md").read_text(encoding="utf-8")
        for name, model in end_to_end.models().items():
            forward, backward = end_to_end.passes_ms(model)
            split = "published" if "forward_ms" in model else "1 : 2"
            self.assertIn(
                f"| {model['name']} | {name} | {model['gpu']} | {model['batch']} | {forward:.1f} + {backward:.1f} | "
                f"{split} | {model['source']} |",
                page,
            )


if __name__ == "__main__":
    unittest.main()
