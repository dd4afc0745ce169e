"""python/oscar_training: settings, clocks, methods and tables. The training itself: test_loop.py."""

import json
import tempfile
import types
import unittest
from pathlib import Path

import numpy as np
import yaml
from oscar_summary import records as csv
from oscar_training import TrainingError, comparisons, gpu, methods, network, settings, summary
from oscar_training.compressing import Compressing
from oscar_training.network import Network
from oscar_training.oscar_hw import OscarHw, entropy
from oscar_training.replayed import Replay

GPU = {"source": "a table", "seconds": {"elements": 1e-9, "launch": 1e-6}}
GOOD = {
    "workload": "lenet-fmnist",
    "compute": {"forward": "1s", "backward": "2ms"},
    "machine": {},
    "gpu": "gpu.yaml",
    "methods": ["dense", {"kind": "top_k", "name": "tenth", "ratio": 0.1}],
}


def exchange(carrier, padded):
    return types.SimpleNamespace(carrier=carrier, padded=padded)


class Settings(unittest.TestCase):
    def load(self, content):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "gpu.yaml").write_text(yaml.safe_dump(GPU))
            (Path(folder) / "a.yaml").write_text(yaml.safe_dump(content))
            return settings.load(Path(folder) / "a.yaml")

    def test_methods_have_a_name_a_kind_and_parameters(self):
        read = self.load(GOOD)
        self.assertEqual(
            [(m.name, m.kind, m.parameters) for m in read.methods],
            [("dense", "dense", {}), ("tenth", "top_k", {"ratio": 0.1})],
        )
        self.assertEqual(
            (read.compute.backward, read.gpu, read.gpu_source, read.seeds, read.name),
            (2e-3, GPU["seconds"], "a table", (1, 2, 3), "a"),
        )
        self.assertEqual(self.load({**GOOD, "learning_rate": "6e-3"}).learning_rate, 6e-3)  # as YAML reads 6e-3
        self.assertEqual(self.load({**GOOD, "name": "other"}).name, "other")

    def test_times_have_units_and_are_the_very_seconds_that_a_decimal_number_is(self):
        for text, seconds in (("800us", 0.8e-3), ("1.4ms", 1.4e-3), ("100us", 0.1e-3), ("2e-3s", 2e-3), ("1 ns", 1e-9)):
            with self.subTest(text):
                self.assertEqual(
                    self.load({**GOOD, "compute": {"forward": text, "backward": "1s"}}).compute.forward, seconds
                )

    def test_what_grows_with_the_model_takes_longer_and_a_launch_does_not(self):
        gpu_of = self.load({**GOOD, "scale": 500}).gpu
        self.assertAlmostEqual(gpu_of["elements"], 500e-9)
        self.assertEqual(gpu_of["launch"], 1e-6)

    def priced(self, machine=None, **list_of_gpu):
        """The settings of a training with this price list, and this machine."""
        return self.text(
            yaml.safe_dump({**GOOD, "machine": machine or {}}), gpu=yaml.safe_dump({"source": "a list", **list_of_gpu})
        )

    def test_bytes_are_moved_and_kernels_launched_at_the_price_of_the_simulated_gpu(self):
        read = self.priced(bytes={"elements": 8}, seconds={"hashes": 1e-11})
        self.assertAlmostEqual(read.gpu["elements"], 8 / (0.85 * 3.35e12), delta=1e-18)  # as by default
        self.assertEqual((read.gpu["hashes"], read.gpu["launch"]), (1e-11, 5e-6))
        self.assertEqual(read.gpu_source, "a list (2.85 TB/s of GPU memory, 5 us a launch)")
        slow = self.priced(
            {"gpu": {"memory_bandwidth": "8Tbps", "memory_efficiency": 0.5, "kernel_latency": "10us"}},
            bytes={"elements": 8},
        )
        self.assertAlmostEqual(slow.gpu["elements"], 8 / 0.5e12, delta=1e-18)
        self.assertEqual(slow.gpu["launch"], 1e-5)
        self.assertEqual(slow.gpu_source, "a list (0.5 TB/s of GPU memory, 10 us a launch)")

    def test_what_was_measured_is_not_computed(self):
        read = self.priced(seconds={"elements": 3e-12, "launch": 7e-6})
        self.assertEqual((read.gpu, read.gpu_source), ({"elements": 3e-12, "launch": 7e-6}, "a list"))
        self.assertEqual(self.priced(bytes={"elements": 8}, seconds={"launch": 7e-6}).gpu["launch"], 7e-6)

    def test_the_shipped_list_has_each_count_and_no_bandwidth_or_launch_of_its_own(self):
        shipped = yaml.safe_load(Path("configs/training/gpu/estimated.yaml").read_text())
        self.assertEqual(set(shipped), {"source", "bytes", "seconds"})
        self.assertEqual(
            {*shipped["bytes"], *shipped["seconds"]},
            {"elements", "comparisons", "additions", "hashes", "multiplications", "draws"},
        )

    def test_a_price_list_that_contradicts_itself_or_the_simulator_is_refused_with_its_place(self):
        for machine, content, why in (
            (
                {},
                {"bytes": {"elements": 8}, "seconds": {"elements": 1e-12}},
                r"gpu\.yaml:2:3: bytes: elements has seconds",
            ),
            ({}, {"bytes": {"launch": 8}}, r"gpu\.yaml:2:3: bytes: launch has seconds; .* a launch seconds"),
            (
                {"gpu": {"memory_eficiency": 1}},
                {},
                r"a\.yaml:.*: machine: gpu.memory_eficiency: no such parameter .did you mean memory_efficiency",
            ),
            ({"gpu": {"memory_efficiency": 2}}, {}, r"a\.yaml:.*: machine: gpu.memory_efficiency: 2.* is out of range"),
        ):
            with self.subTest(why), self.assertRaisesRegex(TrainingError, why):
                self.priced(machine, **content)

    def test_a_record_depends_on_no_price_list(self):
        one, other = self.priced(bytes={"elements": 8}), self.priced(bytes={"elements": 9})
        self.assertEqual(settings.identity(one, one.methods[0], 1), settings.identity(other, other.methods[0], 1))

    def test_methods_come_from_files_too(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "gpu.yaml").write_text(yaml.safe_dump(GPU))
            (Path(folder) / "common.yaml").write_text(yaml.safe_dump(["dense", {"kind": "dgc"}]))
            (Path(folder) / "a.yaml").write_text(yaml.safe_dump({**GOOD, "methods": ["common.yaml", "qsgd"]}))
            self.assertEqual([m.name for m in settings.load(Path(folder) / "a.yaml").methods], ["dense", "dgc", "qsgd"])
        with self.assertRaisesRegex(TrainingError, "none.yaml"):
            self.load({**GOOD, "methods": ["none.yaml"]})

    def test_every_mistake_is_one_line_with_its_place_and_how_to_write_it(self):
        for change, why in (
            ({"step": 5}, r"a.yaml:\d+:\d+: step: no such key \(did you mean steps\?\); known: "),
            ({"compute": {"foward": 1}}, "compute.foward: no such key .did you mean forward"),
            ({"compute": {"forward": "1s"}}, "compute: `backward` is missing; write "),
            (
                {"compute": {"forward": 1e-3, "backward": "2ms"}},
                r"compute.forward: '0.001' lacks its unit \(ps ns us ms s\); write it like ",
            ),
            (
                {"compute": {"forward": "1ms", "backward": "2mss"}},
                "compute.backward: '2mss' has an unknown unit; known: ps ns us ms s",
            ),
            ({"compute": {"forward": "-1ms", "backward": "1ms"}}, "compute.forward: '-1ms' is no quantity"),
            (
                {"compute": {"forward": None, "backward": "1ms"}},
                "compute.forward: a time with its unit is wanted, not nothing; write 800us",
            ),
            ({"gpu": "no.yaml"}, "gpu: no file .*no.yaml"),
            ({"gpu": 3}, "gpu: a text is wanted, not 3"),
            ({"workload": "lenet"}, r"workload: no workload 'lenet' \(did you mean lenet-fmnist\?\)"),
            ({"methods": None}, r"methods: a list is wanted, not nothing; write \[dense"),
            ({"methods": []}, "methods: a list is wanted"),
            ({"methods": "dense"}, r"methods: a list is wanted, not 'dense'; write \[dense"),
            ({"methods": ["dense", "dense"]}, "methods: two are named 'dense'"),
            ({"methods": [{"name": "x"}]}, "methods: no `kind`"),
            ({"methods": [7]}, "methods: a map is wanted, not 7"),
            ({"methods": [{"kind": "dense", "name": "a/b"}]}, "methods.name: 'a/b' names a file"),
            ({"name": "a/b"}, "name: 'a/b' names a file or folder of results: write it without /"),
            ({"name": "../a"}, "name: "),
            ({"name": ".a"}, "name: "),
            ({"seeds": 1}, r"seeds: a list is wanted, not 1; write \[1, 2, 3\]"),
            ({"seeds": []}, "seeds: a list"),
            ({"seeds": [1, 1]}, "seeds: one is there twice"),
            ({"seeds": ["one"]}, "seeds: a whole number of at least 0 is wanted, not 'one'"),
            ({"ranks": "eight"}, "ranks: a whole number of at least 2 is wanted, not 'eight'; write 8"),
            ({"ranks": 1}, "ranks: "),
            ({"epoch": 0}, "epoch: a whole number of at least 1 is wanted, not 0; write 100"),
            ({"evaluate": 0}, "evaluate: "),
            ({"steps": 1.5}, "steps: "),
            ({"learning_rate": -1}, "learning_rate: a number of at least 0"),
            ({"scale": [2]}, "scale: a number above 0"),
            ({"scale": 0}, "scale: a number above 0"),
        ):
            with self.subTest(why), self.assertRaisesRegex(TrainingError, r"^[^ ]*/a\.yaml:\d+:\d+: [^\n]*$") as caught:
                self.load({**GOOD, **change})
            with self.subTest(why):
                self.assertRegex(str(caught.exception), why)

    def text(self, text, **files):
        """Settings of a file with this text beside others."""
        with tempfile.TemporaryDirectory() as folder:
            for name, content in {"gpu": yaml.safe_dump(GPU), **files}.items():
                (Path(folder) / f"{name}.yaml").write_text(content)
            (Path(folder) / "a.yaml").write_bytes(text if isinstance(text, bytes) else text.encode())
            return settings.load(Path(folder) / "a.yaml")

    def test_the_place_is_that_of_the_value(self):
        with self.assertRaisesRegex(TrainingError, r"a\.yaml:6:8: ranks: "):
            self.text(
                "workload: lenet-fmnist\ncompute: {forward: 1s, backward: 2s}\nmachine: {}\ngpu: gpu.yaml\n"
                "methods: [dense]\nranks: eight\n"
            )
        with self.assertRaisesRegex(TrainingError, r"gpu\.yaml:2:21: seconds\.elements: a number of at least 0"):
            self.text(yaml.safe_dump(GOOD), gpu="source: none\nseconds: {elements: fast}\n")

    def test_what_is_no_yaml_says_where(self):
        for text, why in (
            (b"a: [1", r"a\.yaml:\d+:\d+: no YAML: "),
            (b"a: \xff", r"a\.yaml: byte 3 is not UTF-8"),
            (b"", r"a\.yaml:1:1: the file is empty"),
            (b"[a]", r"a\.yaml:1:1: a map is wanted"),
            (b"steps: 1\nsteps: 2\n", r"a\.yaml:2:1: steps: is there twice"),
            (b"steps: 2020-01-01\n1: 2\n", r"a\.yaml:2:1: 1: a key must be a text"),
        ):
            with self.subTest(why), self.assertRaisesRegex(TrainingError, why):
                self.text(text)
        with self.assertRaisesRegex(TrainingError, "none.yaml: No such file"):
            settings.load("none.yaml")
        with self.assertRaisesRegex(TrainingError, r"machine: only texts, numbers, lists and maps"):
            self.text(yaml.safe_dump({**GOOD, "machine": {"size": __import__("datetime").date(2020, 1, 1)}}))

    def test_a_methods_file_that_leads_back_to_itself_is_refused(self):
        with self.assertRaisesRegex(
            TrainingError, r"other\.yaml:1:4: methods.*leads back to itself|other\.yaml:1:3: .*leads back to itself"
        ):
            self.text(yaml.safe_dump({**GOOD, "methods": ["other.yaml"]}), other="- other.yaml\n")
        with self.assertRaisesRegex(TrainingError, "one.yaml is a file that leads back to itself"):
            self.text(yaml.safe_dump({**GOOD, "methods": ["one.yaml"]}), one="- two.yaml\n", two="- one.yaml\n")

    def test_a_file_of_methods_may_be_named_from_two_files_that_are_not_in_one_another(self):
        read = self.text(yaml.safe_dump({**GOOD, "methods": ["one.yaml", "two.yaml"]}), one="- dense\n", two="- qsgd\n")
        self.assertEqual([m.name for m in read.methods], ["dense", "qsgd"])

    def test_problems_of_machine_and_methods_have_the_place_of_those(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "gpu.yaml").write_text(yaml.safe_dump(GPU))
            file = Path(folder) / "a.yaml"
            file.write_text(
                "workload: lenet-fmnist\ncompute: {forward: 1s, backward: 2s}\nmachine: {}\ngpu: gpu.yaml\n"
                "methods: [dense, qsgd]\n"
            )
            with self.assertRaisesRegex(TrainingError, r"a\.yaml:3:10: machine: no link"):
                settings.load(file, lambda settings: "no link")
            with self.assertRaisesRegex(TrainingError, r"a\.yaml:5:18: methods: qsgd: too bad"):
                settings.load(
                    file, lambda settings: None, lambda method, settings: "too bad" if method.kind == "qsgd" else None
                )

    def test_a_record_depends_on_all_that_is_not_as_by_default(self):
        read = self.load(GOOD)
        dense, tenth = read.methods
        of = settings.identity
        self.assertEqual(of(read, dense, 1), of(self.load({**GOOD, "steps": 0, "learning_rate": 0.0}), dense, 1))
        others = [
            of(read, tenth, 1),
            of(read, dense, 2),
            *(
                of(self.load({**GOOD, **change}), dense, 1)
                for change in (
                    {"steps": 5},
                    {"learning_rate": 0.1},
                    {"scale": 2},
                    {"name": "b"},
                    {"machine": {"ranks": 2}},
                    {"compute": {"forward": "2s", "backward": "1s"}},
                )
            ),
        ]
        self.assertEqual(len({of(read, dense, 1), *others}), 1 + len(others))
        self.assertEqual(of(read, dense, 1), of(settings.only(read, ["dense"], [1]), dense, 1))

    def test_methods_and_seeds_are_chosen_by_name(self):
        read = settings.only(self.load(GOOD), ["tenth"], [7])
        self.assertEqual(([m.name for m in read.methods], read.seeds), (["tenth"], (7,)))
        with self.assertRaisesRegex(TrainingError, "did you mean tenth"):
            settings.only(self.load(GOOD), ["tent"], [])


class Gpu(unittest.TestCase):
    def test_time_is_counts_times_seconds_and_a_launch_per_round_and_step(self):
        operations = {"elements": 1000, "hashes": 0, "rounds": 3}
        self.assertAlmostEqual(gpu.seconds(operations, GPU["seconds"]), 1000e-9 + 4e-6)

    def test_no_operations_take_no_time(self):
        self.assertEqual(gpu.seconds({"elements": 0, "rounds": 0}, {}), 0)

    def test_a_count_without_a_constant_is_refused(self):
        with self.assertRaisesRegex(TrainingError, "hashes"):
            gpu.seconds({"hashes": 1}, GPU["seconds"])


class Networks(unittest.TestCase):
    def setUp(self):
        self.asked = []

    def simulate(self, config):
        self.asked.append((config["collective"]["kind"], config["size"]))
        return {"methods": [{"allreduce_ps": 1e6 * int(config["size"][:-1])}]}

    def network(self):
        return Network({"collective": {"kind": "halving_doubling"}, "network": {}}, 4, self.simulate)

    def test_each_carrier_is_its_collective_of_the_whole_vector(self):
        network = self.network()
        for carrier in ("all_reduce", "all_gather", "reduce_scatter", "reduce", "broadcast"):
            network.seconds([exchange(carrier, 1000)])
        self.assertEqual(
            self.asked,
            [
                ("halving_doubling", "1000B"),
                ("all_gather", "4000B"),
                ("reduce_scatter", "1000B"),
                ("reduce_scatter", "1000B"),
                ("broadcast", "1000B"),
            ],
        )  # each of 4 ranks has 1000 to gather

    def test_exchanges_follow_one_another_and_nothing_takes_no_time(self):
        self.assertAlmostEqual(
            self.network().seconds(
                [exchange("all_reduce", 1000), exchange("all_reduce", 0), exchange("all_reduce", 3000)]
            ),
            4000e-6,
        )

    def test_a_size_within_one_percent_is_not_simulated_anew_and_the_error_of_that_is_known(self):
        network = self.network()
        for size in (100000, 100900, 100000):
            network.seconds([exchange("all_reduce", size)])
        self.assertEqual(
            (network.simulated, network.worst_error, network.reused, network.sampled), (1, 0, 1, 0)
        )  # 100900; the other is the same size
        network.seconds([exchange("all_reduce", 101500)])  # 1.48 % off: simulated, and near enough to compare
        self.assertEqual(network.simulated, 2)
        self.assertAlmostEqual(network.worst_error, 1 - 100000 / 101500)
        self.assertEqual(network.sampled, 1)

    def test_sizes_are_whole_words_and_at_least_one_a_rank(self):
        self.network().seconds([exchange("all_reduce", 3)])
        self.network().seconds([exchange("all_reduce", 1001)])
        self.assertEqual([size for _, size in self.asked], ["16B", "1004B"])


class Compressings(unittest.TestCase):
    """What a fake compressor says is on the network for a second a byte."""

    def communication(self, exchanges, **parameters):
        network = types.SimpleNamespace(seconds=lambda all_of: sum(e.padded for e in all_of))
        said = settings.Settings("w", settings.Compute(3, 4), {}, (), {}, "", ranks=2)
        method = Compressing(settings.Method("m", "dense", parameters), said, network, 1)
        return method._communication(exchanges, [np.zeros(5, np.float32)] * 2)

    def exchange(self, padded, overlapped=False):
        return types.SimpleNamespace(padded=padded, overlapped=overlapped, carrier="all_reduce")

    def test_what_only_the_next_step_needs_counts_where_the_passes_do_not_hide_it(self):
        self.assertEqual(self.communication([self.exchange(10), self.exchange(7, True)]), 10)  # 3 + 4 s of passes
        self.assertEqual(self.communication([self.exchange(10), self.exchange(9, True)]), 12)

    def test_sharded_parameters_are_gathered(self):
        self.assertEqual(self.communication([self.exchange(1)], sharded=True), 1 + 10)  # 20 bytes of 2 ranks


class Checks(unittest.TestCase):
    CONSTANTS = {
        key: 1e-12 for key in ("elements", "comparisons", "hashes", "additions", "multiplications", "draws", "launch")
    }

    def settings(self, machine=None, gpu=None):
        return settings.Settings(
            "w", settings.Compute(1, 1), machine or {}, (), self.CONSTANTS if gpu is None else gpu, "", ranks=2
        )

    def test_kinds_and_parameters_that_are_none_are_told_before_anything_is_trained(self):
        for kind, parameters, why in (
            ("top_k", {"factr": 2}, "^factr: no such parameter .did you mean factor"),
            ("topk", {}, "^kind: .*did you mean top_k"),
            ("oscar_hw", {"quantiser": {"kind": "percentil"}}, "percentile"),
            ("top_k", {"factor": 0}, "^factor: "),
            ("oscar_hw", {"codec": {"kind": "ask"}}, "did you mean asc"),
            ("oscar_hw", {"every": 0}, "^every: "),
            ("oscar_hw", {"chnks": {}}, "^chnks: no such parameter"),
        ):
            with self.subTest(why):
                self.assertRegex(methods.find_problem(settings.Method("m", kind, parameters), self.settings()), why)
        for kind, parameters in (("tagc", {"sharded": True}), ("oscar_hw", {}), ("dense", {})):
            with self.subTest(kind):
                self.assertIsNone(methods.find_problem(settings.Method("m", kind, parameters), self.settings()))

    def test_a_method_whose_operations_have_no_seconds_is_told_too(self):
        self.assertRegex(
            methods.find_problem(settings.Method("m", "count_sketch"), self.settings(gpu={"launch": 1})),
            "gpu: no seconds for .*hashes",
        )

    def test_a_machine_that_is_none_is_told_by_its_own_keys(self):
        self.assertRegex(
            network.find_problem(self.settings({"network": {"topologi": {}}})),
            r"^network\.topologi: no such parameter \(did you mean topology",
        )
        self.assertIsNone(network.find_problem(self.settings()))


class OscarHws(unittest.TestCase):
    def method(self, **parameters):
        self.times = iter(range(1, 100))
        said = {"quantiser": {"kind": "max", "bits": 8}, **parameters}
        return OscarHw(
            types.SimpleNamespace(parameters=said), None, lambda before, now, experiment: (float(next(self.times)), 10)
        )

    def gradients(self, seed, scale=1.0):
        return [scale * np.random.default_rng([seed, rank]).normal(size=2000).astype(np.float32) for rank in range(2)]

    TENSORS = [(0, 500, 0), (500, 2000, 3)]

    def test_the_mean_is_off_by_half_a_step_at_most(self):
        gradients = self.gradients(1)
        outcome = self.method().step(gradients, self.TENSORS)
        peak = max(np.abs(g).max() for g in gradients)
        self.assertLess(np.abs(outcome.mean - np.mean(gradients, axis=0)).max(), peak / 127 / 2 * 1.001)
        self.assertGreater(np.abs(outcome.mean - np.mean(gradients, axis=0)).max(), 0)

    def test_a_residual_makes_up_for_what_was_rounded(self):
        method, total, wanted = self.method(quantiser={"kind": "max", "bits": 2, "residual": True}), 0, 0
        for seed in range(20):
            gradients = self.gradients(seed)
            total, wanted = total + method.step(gradients, self.TENSORS).mean, wanted + np.mean(gradients, axis=0)
        # What is missing in the end is what the last step rounded off: half a step of each worker, however many steps.
        self.assertLess(np.abs(total - wanted).max(), 6)

    def test_time_is_simulated_anew_where_the_size_moves(self):
        method = self.method(every=100)
        gradients = self.gradients(1)
        flatter = [np.clip(g, -0.5, 0.5) for g in gradients]  # another distribution of codes
        self.assertEqual(
            [method.step(g, self.TENSORS).communication for g in (gradients, gradients, flatter, flatter)], [1, 1, 2, 2]
        )
        self.assertEqual((method.simulated, method.reused, method.sampled), (2, 2, 0))

    def test_of_the_steps_that_could_reuse_a_time_every_so_many_is_simulated_to_compare(self):
        method = self.method(every=3)
        gradients = self.gradients(1)
        self.assertEqual(
            [method.step(gradients, self.TENSORS).communication for _ in range(8)], [1, 1, 1, 2, 2, 2, 3, 3]
        )
        self.assertEqual((method.simulated, method.reused, method.sampled), (3, 5, 2))
        self.assertAlmostEqual(method.worst_error, 0.5)  # 1 was in use when it was 2; then 2 when it was 3, a third

    def test_sizes_that_keep_moving_do_not_keep_the_shortcut_from_being_compared(self):
        method = self.method(every=2)
        steps = [
            g
            for seed in range(4)
            for g in [self.gradients(1), self.gradients(1), [np.clip(x, -0.5, 0.5) for x in self.gradients(1)]]
        ]
        for gradients in steps:  # one of three is alike: of these four every second is compared
            method.step(gradients, self.TENSORS)
        self.assertEqual((method.simulated, method.reused, method.sampled), (8 + 2, 2, 2))

    def test_entropy_is_of_order_zero(self):
        self.assertAlmostEqual(entropy(np.array([0, 1, -1, 0])), 1.5)


class Replays(unittest.TestCase):
    def test_the_second_of_two_iterations_is_replayed_and_its_bytes_are_per_link(self):
        seen = {}

        def simulate(config):
            seen.update(config)
            seen["arrays"] = [np.load(Path(config["trace"]) / f"iteration-{i:05}.npy") for i in (0, 1)]
            return {"methods": [{"allreduce_ps": 5e12, "payload_bytes": 600}]}

        before, now = [np.zeros(6, np.float32)] * 3, [np.ones(6, np.float32)] * 3
        replay = Replay({"network": "n"}, 3, [(0, 2, 0), (2, 6, 2)], simulate)
        self.assertEqual(replay(before, now, {"codec": "asc", "chunks": "greedy"}), (5.0, 150))  # 2 (3 - 1) links
        np.testing.assert_array_equal(seen["arrays"], [before, now])
        self.assertEqual(
            (seen["iterations"], seen["methods"], seen["chunks"], seen["network"]),
            ({"first": 1, "count": 1}, ["asc"], "greedy", "n"),
        )
        self.assertEqual(seen["gpu"], {"scan_passes": 0})  # peaks are known
        Replay({"gpu": {"launch": "1us"}}, 3, [(0, 6, 0)], simulate)(before, now, {"codec": "asc"})
        self.assertEqual(seen["gpu"], {"launch": "1us", "scan_passes": 0})


class Summaries(unittest.TestCase):
    def record(self, method, seed, qualities, seconds=1.0):
        rows = [
            {
                "step": 50 * (i + 1),
                "seconds": seconds * (i + 1),
                "payload_bytes": 2**20 * (i + 1),
                "floats": 100 * (i + 1),
                "quality": q,
            }
            for i, q in enumerate(qualities)
        ]
        return {
            "gpu": "a list",
            "workload": "lenet-fmnist",
            "method": method,
            "kind": method,
            "factors": {},
            "seed": seed,
            "metric": "test accuracy",
            "ended": "after all steps",
            "rows": rows,
            "collectives": {"worst_error": 0.001},
        }

    def files(self, *records):
        """{name: rows} of what is written of these records of a training."""
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "w").mkdir()
            for i, record in enumerate(records):
                (Path(folder) / "w" / f"{i}.json").write_text(json.dumps(record))
            summary.write(Path(folder))
            return {name: csv.read(Path(folder) / f"{name}.csv")[1] for name in summary.COLUMNS}

    def method(self, *runs, dense=None):
        measures = comparisons.Measures(True, 0.1)
        return summary._method(runs, dense, measures.reached(dense) if dense else None, measures)

    def test_the_price_lists_of_the_records_are_counted(self):
        more = ({}, {"gpu": "another"}, {}, {"kind": "oscar_hw", "gpu": "none is paid"})
        found = self.files(*({**self.record("dense", seed, [0.5] * 3), **of} for seed, of in enumerate(more)))
        self.assertEqual(found["prices"], [{"prices": "a list", "records": 2}, {"prices": "another", "records": 1}])

    def test_time_is_that_of_the_median_seed_over_three_evaluations(self):
        runs = [
            self.record("m", seed, [0.5, 0.9, 0.9, 0.9, 0.9], seconds) for seed, seconds in ((1, 1), (2, 2), (3, 3))
        ]
        measures = comparisons.Measures(True, 0.1)
        self.assertEqual(measures.time_to(runs, 0.9), 2 * 4)  # the mean of rows 2 to 4 is the first at 0.9
        self.assertIsNone(measures.time_to(runs, 0.91))

    def test_half_of_the_seeds_are_not_enough(self):
        runs = [self.record("m", 1, [0.9] * 3), self.record("m", 2, [0.1] * 3)]
        self.assertIsNone(comparisons.Measures(True, 0.1).time_to(runs, 0.5))

    def test_losses_fall_to_their_target(self):
        self.assertEqual(comparisons.Measures(False, 5).time_to([self.record("m", 1, [3, 2, 1, 1, 1])], 1.5), 4)

    def test_the_target_is_a_deviation_below_dense(self):
        dense = [self.record("dense", seed, [q] * 3) for seed, q in ((1, 0.8), (2, 0.9))]
        self.assertAlmostEqual(comparisons.Measures(True, 0.1).reached(dense), 0.85 - 0.0707, 4)
        self.assertAlmostEqual(comparisons.Measures(False, 5).reached(dense), 0.85 + 0.0707, 4)

    def test_a_file_has_dense_first_and_tells_who_ended_early(self):
        early = {**self.record("z", 1, []), "ended": "at step 7: NaN"}
        found = self.files(self.record("a", 1, [0.9] * 3, 0.5), self.record("dense", 1, [0.8] * 3), early)
        dense, better, none = found["methods"]
        self.assertEqual([row["method"] for row in (dense, better, none)], ["dense", "a", "z"])
        for key, value in {
            **{"quality": 0.9, "to_dense": 0.1, "to_target": "1.50 s", "x_dense": 2, "x_equal": 2, "steps": 150},
            **{"seconds": 1.5, "x_seconds": 2, "mib": 3, "x_mib": 1, "x_floats": 1, "shortcut": 0.1, "deviation": None},
        }.items():
            self.assertEqual(better[key], value, key)
        self.assertEqual((none["seeds"], none["steps"]), (1, 0))
        self.assertEqual({none[key] for key in none if key not in ("training", "method", "seeds", "steps")}, {None})
        (training,) = found["trainings"]
        self.assertEqual((training["target"], training["chance"]), (0.8, 0.1))
        self.assertEqual((training["records"], training["hashed"], training["curves"]), (3, 0, None))
        self.assertEqual(found["ended"], [{"training": "w", "method": "z", "seed": 1, "ended": "at step 7: NaN"}])

    def test_a_training_with_too_few_evaluations_is_not_said_to_never_come_to_the_target(self):
        records = (
            self.record("dense", 1, [0.5, 0.7]),
            self.record("short", 1, [0.6, 0.7]),
            self.record("x", 1, [0.1] * 3),
        )
        words = {row["method"]: row["to_target"] for row in self.files(*records)["methods"]}
        self.assertEqual(words, {"dense": "too few evaluations", "short": "too few evaluations", "x": "never"})

    def test_a_shortcut_that_was_never_compared_has_no_error(self):
        for collectives, percent in (
            (
                [
                    {"worst_error": 0.02, "reused": 3, "sampled": 1},
                    {"worst_error": 0.0, "reused": 3, "sampled": 0},
                ],
                2,
            ),
            ([{"worst_error": 0.0, "reused": 3, "sampled": 0}], None),
            ([{"worst_error": 0.0, "reused": 0, "sampled": 0}], 0),
            ([{"worst_error": 0.01}], 1),
        ):
            runs = [{**self.record("m", seed, [0.5] * 3), "collectives": of} for seed, of in enumerate(collectives)]
            self.assertEqual(self.method(*runs)["shortcut"], percent)

    def test_one_that_ended_early_has_no_time_and_bytes_of_a_whole_training(self):
        dense, early = self.record("dense", 1, [0.8] * 3), {
            **self.record("m", 1, [0.1] * 2),
            "ended": "at step 120: NaN",
        }
        self.assertFalse({"seconds", "mib", "x_seconds", "x_mib", "x_floats"} & set(self.method(early, dense=[dense])))
        row = self.method(early, self.record("m", 2, [0.8] * 3, 0.5), dense=[dense])
        self.assertEqual((row["seconds"], row["x_seconds"]), (1.5, 2))


if __name__ == "__main__":
    unittest.main()
