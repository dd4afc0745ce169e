"""scripts/import_step: steps of PyTorch's profiler and of Chakra, with times by hand; wrong files in words."""

import gzip
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "python"))
from oscar_steps import chakra, profile
from oscar_steps.step import StepError, to_yaml
from oscar_summary.command import InputError

PROGRAM = Path(os.environ.get("OSCAR_BUILD", ROOT / "build/release")) / "oscar-sim"


def event(name, category, ts, dur, **arguments):
    return {"ph": "X", "name": name, "cat": category, "ts": ts, "dur": dur, "args": arguments}


def kernel(name, launched, begin, dur, correlation, **arguments):
    """A kernel, and its launch by the host."""
    return [
        event("cudaLaunchKernel", "cuda_runtime", launched, 2, correlation=correlation),
        event(name, "kernel", begin, dur, correlation=correlation, stream=7, **arguments),
    ]


def reduction(launched, begin, correlation, values, kind="allreduce"):
    described = {"Collective name": kind, "In msg nelems": values, "dtype": "Float", "Group size": 8}
    return kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", launched, begin, 300, correlation, **described)


def events():
    """Step 3: 200 us forward, 500 us backward from 1250 on, optimiser 50 us. The first bucket is launched behind the
    kernel that ends at 1450, the second behind the one that ends at 1750."""
    return [
        event("ProfilerStep#2", "user_annotation", 0, 900),
        *kernel("gemm", 100, 120, 100, 1),
        event("ProfilerStep#3", "user_annotation", 1000, 1500),
        *kernel("gemm", 1010, 1050, 200, 2),
        event("autograd::engine::evaluate_function: MmBackward0", "cpu_op", 1100, 20),
        *kernel("gemm_backward", 1110, 1250, 200, 3),
        *reduction(1150, 1460, 4, 6_553_600),
        *kernel("gemm_backward", 1160, 1450, 300, 5),
        *reduction(1200, 1770, 6, 1_000_000),
        *reduction(1210, 2100, 7, 16),
        event("Optimizer.step#SGD.step", "user_annotation", 1300, 100),
        *kernel("multi_tensor_apply", 1310, 2120, 50, 8),
    ]


class Profiles(unittest.TestCase):
    def test_buckets_are_ready_when_what_was_launched_before_them_has_ended(self):
        step = profile.step_of(events())
        self.assertEqual([(b.values, b.ready) for b in step.buckets], [(6_553_600, 200.0), (1_000_000, 500.0)])
        self.assertEqual((step.forward, step.backward, step.optimiser, step.ranks), (200.0, 500.0, 50.0, 8))
        self.assertFalse(step.sharded)
        self.assertIn("1 collectives of less than 65536 bytes are left out", step.notes)

    def test_another_step_is_chosen_by_its_number(self):
        with self.assertRaisesRegex(StepError, "holds 1 kernels that compute and 0 of NCCL or RCCL in this step"):
            profile.step_of(events(), 2)
        tenth = [*events(), event("ProfilerStep#10", "user_annotation", 3000, 9)]
        with self.assertRaisesRegex(StepError, "no ProfilerStep#9; there are 2, 3, 10$"):
            profile.step_of(tenth, 9)

    def test_reduce_scatters_make_a_sharded_step(self):
        sharded = [*events(), *reduction(1205, 1900, 9, 9_000_000, "_reduce_scatter_base")]
        step = profile.step_of(sharded)
        self.assertTrue(step.sharded)
        self.assertEqual([b.values for b in step.buckets], [9_000_000])
        self.assertIn("3 of all_reduce: left out, for a step here has one operation", step.notes)

    def test_compressed_files_are_read(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "trace.json.gz"
            path.write_bytes(gzip.compress(json.dumps({"traceEvents": events()}).encode()))
            self.assertEqual(len(profile.step_of(profile.read(path)).buckets), 2)


def varint(value):
    data = bytearray()
    value &= (1 << 64) - 1
    while value > 127:
        data.append(value & 127 | 128)
        value >>= 7
    return bytes(data) + bytes([value])


def number(field, value):
    return varint(field << 3) + varint(value)


def text(field, value):
    data = value if isinstance(value, bytes) else value.encode()
    return varint(field << 3 | 2) + varint(len(data)) + data


NODES = [  # id, type, deps, duration, attributes
    (1, 4, [], 100, {}),
    (2, 4, [1], 200, {}),
    (3, 7, [2], 0, {"comm_type": 0, "comm_size": 26_214_400}),
    (4, 4, [2], 150, {}),
    (5, 7, [3, 4], 0, {"comm_type": 0, "comm_size": 4_000_000}),
    (6, 4, [5], 40, {}),
]


def protobuf(nodes):
    """A file of Chakra: metadata and nodes, each behind its length; dependencies packed or one by one."""
    data = text(1, "0.0.4")
    messages = [data]
    for node, kind, deps, duration, attributes in nodes:
        message = number(1, node) + text(2, f"node{node}") + number(3, kind) + number(7, duration)
        if node % 2:
            message += text(5, b"".join(varint(dep) for dep in deps))
        else:
            message += b"".join(number(4, dep) for dep in deps)
        for name, value in attributes.items():
            message += text(10, text(1, name) + number(9, value))
        messages.append(message + varint(6 << 3 | 1) + struct.pack("<d", 0))
    return b"".join(varint(len(message)) + message for message in messages)


def as_json(nodes):
    """The same as the jsonizer writes it: one object after the other."""
    parts = [json.dumps({"version": "0.0.4"})]
    for node, kind, deps, duration, attributes in nodes:
        parts.append(
            json.dumps(
                {
                    "id": str(node),
                    "name": f"node{node}",
                    "type": chakra.TYPES[kind],
                    "dataDeps": [str(dep) for dep in deps],
                    "durationMicros": str(duration),
                    "attr": [{"name": name, "int64Val": str(value)} for name, value in attributes.items()],
                },
                indent=2,
            )
        )
    return "\n".join(parts)


class ChakraTraces(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def read(self, data):
        path = Path(self.folder.name) / "trace.et"
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return chakra.step_of(chakra.read(path))

    def test_both_forms_give_the_same_step(self):
        step = self.read(protobuf(NODES))
        self.assertEqual([(b.values, b.ready) for b in step.buckets], [(6_553_600, 300.0), (1_000_000, 450.0)])
        self.assertEqual((step.backward, step.optimiser), (450.0, 40.0))
        self.assertEqual(self.read(as_json(NODES)), step)

    def error(self, data):
        with self.assertRaises(StepError) as caught:
            self.read(data)
        return str(caught.exception).replace(self.folder.name + "/", "")

    def changed(self, position, **changes):
        names = ("id", "kind", "deps", "duration", "attributes")
        nodes = [dict(zip(names, node)) for node in NODES]
        nodes[position].update(changes)
        return protobuf([tuple(node.values()) for node in nodes])

    def test_wrong_files_are_told_where_and_what(self):
        whole = protobuf(NODES)
        for data, expected in (
            (whole[:-3], "bytes are announced"),
            (whole + b"\x80", "ends within a number"),
            (b"\x05\x0b", "bytes are announced"),
            (b"\x00\x02\x0b\x00", "wire type 3"),
            (b"\x00" + varint(3) + text(1, b"x"), "field 1 is of another type"),
            (self.changed(1, deps=[9]), "node 2 waits for 9, which is not there"),
            (self.changed(0, deps=[2]), "which waits for it"),
            (self.changed(1, id=1, deps=[]), "node 1 stands there twice"),
            (self.changed(2, attributes={"comm_type": 0}), "node 3: a collective without comm_size"),
            (self.changed(4, deps=[3, 6]), "which waits for it"),
            (self.changed(3, deps=[3]), "a collective that waits for a computation that waits for another"),
            (protobuf(NODES[:2]), "holds no node of type COMM_COLL_NODE, but 2 of COMP_NODE"),
            (self.changed(2, kind=5)[:-70], "bytes are announced"),
            (
                protobuf([(1, 5, [], 0, {}), (2, 6, [], 0, {})]),
                "but 1 of COMM_SEND_NODE, 1 of COMM_RECV_NODE; give a trace",
            ),
            ('{"schema": "1.1", "nodes": [{"id": 1, "name": "aten::mm"}]}', "but 1 of INVALID_NODE; give a trace"),
            ('{"workload": "a graph", "edges": []}', "holds no node of type COMM_COLL_NODE, but nothing"),
            ('{"id": ' + "9" * 5000 + "}", "trace.et:1: a number of too many digits"),
            ('{"id": 1, "durationMicros": 1e999}', "duration_micros is 'inf'; write a whole number of 64 bits"),
            ('{\n  "id": 1,\n', "trace.et:3:1: "),
            ("[1]", "trace.et:1: '1' is no node"),
            ('{"nodes": 3}', "neither a node nor a list"),
            ('{"id": "x"}', "id is 'x'; write a whole number"),
            ('{"id": 1, "attr": 3}', "a node of another shape"),
            (b"", "holds no node of type COMM_COLL_NODE, but nothing"),
        ):
            self.assertIn(expected, self.error(data))

    def test_no_change_of_a_file_ends_in_anything_but_words(self):
        draw = random.Random(32)
        for whole in (protobuf(NODES), as_json(NODES).encode()):
            for _ in range(400):
                data = bytearray(whole)
                for _ in range(draw.randint(1, 4)):
                    data[draw.randrange(len(data))] = draw.randrange(256)
                try:
                    self.read(bytes(data[: draw.randint(1, len(data))]))
                except InputError as error:
                    self.assertNotIn("\n", str(error))


class WrongProfiles(unittest.TestCase):
    def error(self, document):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "trace.json"
            path.write_bytes(document if isinstance(document, bytes) else json.dumps(document).encode())
            with self.assertRaises(InputError) as caught:
                profile.step_of(profile.read(path))
            return str(caught.exception).replace(folder + "/", "")

    def without(self, key):
        found = events()
        for one in found:
            one["args"].pop(key, None)
        return {"traceEvents": found}

    def test_they_are_told_where_and_what(self):
        kernels = [one for one in events() if one["cat"] == "kernel"]
        for document, expected in (
            (b'{"traceEvents": [\n{"ph": }', "trace.json:2:8: "),
            (b"\x1f\x8b\x00", "name the file that export_chrome_trace has written"),
            (b"\xff\xfe", "name the file that export_chrome_trace has written"),
            ({"events": []}, "has no list traceEvents"),
            ({"traceEvents": 3}, "has no list traceEvents"),
            (b"[" * 100_000, "nested too deeply"),
            ({"traceEvents": []}, "holds 0 kernels that compute and 0 of NCCL or RCCL"),
            (
                {"traceEvents": [one for one in events() if "nccl" not in one["name"]]},
                "there are events 8 of cuda_runtime, 5 of kernel, 3 of user_annotation, 1 of cpu_op; record_param",
            ),
            ({"traceEvents": kernels}, "no kernel was launched by autograd"),
            (self.without("In msg nelems"), "3 reductions of gradients without a size: neither"),
            (
                b'{"traceEvents": [{"ph": "X", "cat": "kernel", "name": "k", "ts": 1e99999999}]}',
                "ts is 1E+99999999, no",
            ),
            (b'{"traceEvents": [{"ph": "X", "cat": "kernel", "name": "k", "ts": NaN}]}', "ts is nan, no time"),
            (b'{"traceEvents": [{"ph": "X", "cat": "kernel", "name": "k"}]}', "event 'k': ts is None, no time"),
            (b'{"traceEvents": [' + b"7" * 5000 + b"]}", "holds a number of too many digits"),
            ({"traceEvents": [*events(), {"ph": "X", "cat": "kernel", "name": "k", "ts": "soon"}]}, "ts is 'soon'"),
        ):
            self.assertIn(expected, self.error(document))

    def test_no_change_of_a_file_ends_in_anything_but_words(self):
        draw, whole = random.Random(33), json.dumps({"traceEvents": events()}).encode()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "trace.json"
            for _ in range(400):
                data = bytearray(whole)
                for _ in range(draw.randint(1, 4)):
                    data[draw.randrange(len(data))] = draw.randrange(32, 127)
                path.write_bytes(bytes(data))
                try:
                    to_yaml(profile.step_of(profile.read(path)), "it")
                except InputError as error:
                    self.assertNotIn("\n", str(error))


class Script(unittest.TestCase):
    def test_a_profile_becomes_a_step_that_the_program_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            trace, written = Path(folder) / "trace.json", Path(folder) / "my-step.yaml"
            trace.write_text(json.dumps({"traceEvents": events()}), encoding="utf-8")
            command = [ROOT / "scripts/import_step", trace, "--base", "dgx-h100", "-o", written]
            subprocess.run(command, check=True, capture_output=True)
            experiment = yaml.safe_load(written.read_text(encoding="utf-8"))
            self.assertEqual(experiment["base"], "dgx-h100")
            self.assertEqual(experiment["ranks"], 8)
            self.assertEqual(experiment["step"]["given"][0], {"bytes": "25MiB", "ready": "200us"})
            done = subprocess.run(
                [PROGRAM, "run", written, "--json", "-q", "-o", "-"], capture_output=True, text=True, check=True
            )
            step = json.loads(done.stdout)["methods"][0]["step"]
            self.assertEqual(step["compute_ps"], (200 + 500 + 50) * 10**6)
            self.assertEqual([b["ready_ps"] for b in step["buckets"]], [400 * 10**6, 700 * 10**6])

    def imported(self, *arguments):
        """(notes on stderr, experiment, its comments) of the usual profile, which is of 8 ranks."""
        with tempfile.TemporaryDirectory() as folder:
            trace = Path(folder) / "trace.json"
            trace.write_text(json.dumps({"traceEvents": events()}), encoding="utf-8")
            (Path(folder) / "mine.yaml").write_text("base: dgx-h100\nnetwork: {topology: {island: 3}}\n")
            (Path(folder) / "flat.yaml").write_text("base: dgx-h100\nnetwork: {topology: star}\n")
            done = subprocess.run(
                [ROOT / "scripts/import_step", trace, *arguments],
                capture_output=True,
                text=True,
                check=True,
                cwd=folder,
            )
            comments = [line[2:] for line in done.stdout.splitlines() if line.startswith("# ")]
            return done.stderr.splitlines(), yaml.safe_load(done.stdout), comments

    def test_ranks_that_the_trace_does_not_have_are_noted(self):
        notes, experiment, comments = self.imported("--ranks", "16")
        self.assertEqual(experiment["ranks"], 16)
        self.assertEqual(
            notes,
            [
                "import_step: note: the trace is of 8 ranks, and --ranks 16 runs its step on 16: buckets and passes "
                "stay those of 8"
            ],
        )
        self.assertIn(notes[0].removeprefix("import_step: note: "), comments)
        self.assertEqual(self.imported("--ranks", "8")[0], [])

    def test_ranks_that_do_not_fill_nodes_are_noted(self):
        for arguments, expected in (
            (("--ranks", "12", "--base", "dgx-h100"), "12 ranks do not fill the nodes of dgx-h100, which have 8; "),
            (("--ranks", "4", "--base", "dgx-h100"), "4 ranks do not fill the nodes of dgx-h100, which have 8; "),
            (("--base", "mine"), "8 ranks do not fill the nodes of mine, which have 3; --ranks 6 or 9 would"),
            (("--ranks", "6", "--base", "perlmutter-gpu"), "6 ranks do not fill the nodes of perlmutter-gpu, which "),
        ):
            notes, _, comments = self.imported(*arguments)
            self.assertIn(f"import_step: note: {expected}", notes[-1])
            self.assertIn(notes[-1].removeprefix("import_step: note: "), comments)
        for arguments in (("--base", "dgx-h100"), ("--base", "flat"), ("--base", "connectx-7"), ()):
            self.assertEqual(self.imported(*arguments)[0], [], arguments)

    def test_wrong_input_is_one_line_and_status_2(self):
        with tempfile.TemporaryDirectory() as folder:
            trace, link, pipe = (Path(folder) / name for name in ("trace.et", "link.et", "pipe.et"))
            trace.write_bytes(b"\x05\x0b")
            link.symlink_to(link)
            os.mkfifo(pipe)
            deep, bomb = Path(folder) / "deep.json", Path(folder) / "bomb.json.gz"
            deep.write_bytes(b'{"traceEvents": ' + b"[" * 200_000)
            bomb.write_bytes(gzip.compress(b'{"traceEvents": []}')[:20])
            for arguments, expected in (
                ((trace,), "bytes are announced"),
                ((trace.parent / "none",), "no such file"),
                ((trace, "--step", "3"), "--step is for traces of PyTorch's profiler"),
                (
                    (trace, "--base", "dgx-h99"),
                    "--base dgx-h99: no such machine or experiment (did you mean dgx-h",
                ),
                ((pipe,), "is a pipe or a device; name a trace"),
                (("/dev/zero",), "/dev/zero: is a pipe or a device"),
                ((folder,), "is a folder"),
                ((link,), "cannot be opened"),
                ((deep,), "nested too deeply"),
                ((bomb,), "is no whole gzip file"),
            ):
                done = subprocess.run(
                    [ROOT / "scripts/import_step", *arguments], capture_output=True, text=True, check=False, timeout=60
                )
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                self.assertIn(expected, done.stderr)


if __name__ == "__main__":
    unittest.main()
