"""Profiles of PyTorch as other versions, vendors and jobs have them: what becomes a bucket, and what is left out."""

import copy
import json
import random
import re
import sys
import tempfile
import unittest
from pathlib import Path

from tests.scripts.commands.test_import_step import event, events, kernel, reduction

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "python"))
from oscar_steps import profile
from oscar_steps.step import StepError, bytes_text, time_text, to_yaml
from oscar_summary.command import InputError

USUAL = [(6_553_600, 200.0), (1_000_000, 500.0)]  # of events(), by hand


def buckets(step):
    return [(bucket.values, bucket.ready) for bucket in step.buckets]


def in_group(name, size, launched, begin, correlation, values, kind="allreduce"):
    """A reduction of a named process group."""
    found = reduction(launched, begin, correlation, values, kind)
    found[1]["args"] |= {"Process Group Name": name, "Process Group Description": f"{name} group", "Group size": size}
    return found


def record(begin, dur, external, **described):
    """The host's description of a collective."""
    return event("record_param_comms", "cpu_op", begin, dur, **{"External id": external, **described})


def bare(name, launched, begin, correlation, **arguments):
    """A kernel of 300 us that says nothing of its collective."""
    return kernel(name, launched, begin, 300, correlation, **arguments)


class Times(unittest.TestCase):
    def read(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "trace.json"
            path.write_text(text, encoding="utf-8")
            return profile.step_of(profile.read(path))

    def shifted(self, shift, decimals=""):
        """The usual events, each `shift` microseconds later; the numbers are written digit by digit."""
        found = [one | {"ts": f"@{one['ts'] + shift}{decimals}@"} for one in events()]
        return json.dumps({"baseTimeNanoseconds": 0, "traceEvents": found}).replace('"@', "").replace('@"', "")

    def test_since_1970_from_the_start_or_before_it_they_are_the_same(self):
        for shift, decimals in (
            (1_666_149_715_033_200, ""),
            (1_666_149_715_033_200, ".123"),
            (4_853_738_391, ".001"),
            (0, ""),
            (-5000, ""),
        ):
            step = self.read(self.shifted(shift, decimals))
            self.assertEqual(buckets(step), USUAL, (shift, decimals))
            self.assertEqual((step.forward, step.backward, step.optimiser), (200.0, 500.0, 50.0))

    def test_since_1970_nanoseconds_are_kept(self):
        # 1666149715034450.001 and its neighbours are one double; the pass begins 1 ns later.
        text = self.shifted(1_666_149_715_033_200)
        later = text.replace('"ts": 1666149715034450, "dur": 200', '"ts": 1666149715034450.001, "dur": 200')
        self.assertNotEqual(later, text)
        self.assertEqual(buckets(self.read(later))[1], (1_000_000, 499.999))

    def test_written_they_are_readable(self):
        for microseconds, text in (
            (3000.0, "3ms"),
            (200.0, "200us"),
            (0.25, "250ns"),
            (1234.567, "1234.567us"),
            (2_500_000.0, "2.5s"),
            (0.0, "0ns"),
        ):
            self.assertEqual(time_text(microseconds), text)
        self.assertEqual(
            [bytes_text(size) for size in (25 << 20, 3 << 10, 4_000_000, 0)], ["25MiB", "3KiB", "4000000B", "0MiB"]
        )


class Forms(unittest.TestCase):
    def test_events_without_arguments_or_correlation_are_passed_over(self):
        strange = [
            {"ph": "X", "name": "aten::mm", "cat": "cpu_op", "ts": 1020, "dur": 3, "args": None},
            {"ph": "X", "name": "cudaLaunchKernel", "cat": "cuda_runtime", "ts": 1020, "dur": 3, "args": None},
            {
                "ph": "X",
                "name": "cudaLaunchKernel",
                "cat": "cuda_runtime",
                "ts": 1020,
                "dur": 3,
                "args": {"correlation": []},
            },
            {"ph": "X", "name": "gemm", "cat": "kernel", "ts": 1300, "dur": 30, "args": None},
            {"ph": "X", "name": None, "cat": None, "ts": None},
        ]
        self.assertEqual(buckets(profile.step_of(events() + strange)), USUAL)

    def test_older_and_other_names_of_categories_are_known(self):
        for old, new in (("Kernel", "kernel"), ("Runtime", "cuda_runtime"), ("hip_runtime", "cuda_runtime")):
            found = [one | {"cat": old if one["cat"] == new else one["cat"]} for one in events()]
            self.assertEqual(buckets(profile.step_of(found)), USUAL, old)

    def test_each_name_of_a_reduction_is_one(self):
        for kind, sharded in (
            ("allreduce", False),
            ("allreduce_coalesced", False),
            ("c10d::allreduce_", False),
            ("all_reduce", False),
            ("_reduce_scatter_base", True),
            ("reduce_scatter_tensor", True),
            ("reduce_scatter_tensor_coalesced", True),
        ):
            extra = reduction(1205, 1900, 9, 9_000_000, kind)
            step = profile.step_of([*events(), *extra])
            self.assertEqual(step.sharded, sharded, kind)
            self.assertIn(9_000_000, [bucket.values for bucket in step.buckets], kind)

    def test_gathers_of_parameters_are_no_buckets(self):
        for kind in ("allgather", "_allgather_base", "all_gather_into_tensor", "all_gather_into_tensor_coalesced"):
            step = profile.step_of([*events(), *reduction(1205, 1900, 9, 9_000_000, kind)])
            self.assertEqual(buckets(step), USUAL)
            self.assertIn("1 of all_gather: left out, for a step here has one operation", step.notes)

    def test_without_the_size_of_the_group_the_ranks_are_not_known(self):
        found = events()
        for one in found:
            one["args"].pop("Group size", None)
        step = profile.step_of(found)
        self.assertIsNone(step.ranks)
        self.assertIn("# The file does not tell how many ranks there are.", to_yaml(step, "it"))


class Descriptions(unittest.TestCase):
    """Kernels that say nothing: sizes and groups stand at record_param_comms."""

    def step(self, *records, name="ncclKernel_AllReduce_RING_LL_Sum_float", **arguments):
        others = [
            one for one in events() if "nccl" not in one["name"] and one["args"].get("correlation") not in (4, 6, 7)
        ]
        return profile.step_of([*others, *records, *bare(name, 1200, 1770, 6, **arguments)])

    def test_by_external_id(self):
        described = {"Collective name": "allreduce", "In msg nelems": 1_000_000, "Group size": 4}
        step = self.step(record(1100, 1, 77, **described), **{"External id": 77})
        self.assertEqual((buckets(step), step.ranks), ([(1_000_000, 500.0)], 4))

    def test_by_when_it_launched_the_kernel(self):
        described = {"Collective name": "allreduce", "In msg nelems": 1_000_000, "Group size": 4}
        near = record(1195, 20, 77, **described)
        far = record(1150, 20, 78, **(described | {"In msg nelems": 5}))
        self.assertEqual(buckets(self.step(far, near)), [(1_000_000, 500.0)])

    def test_of_rccl_whose_kernel_tells_no_kind(self):
        described = {"Collective name": "allreduce", "In msg nelems": "1000000", "Group size": "4"}
        step = self.step(record(1195, 20, 77, **described), name="rcclGenericKernel<1, false>(ncclDevComm*)")
        self.assertEqual((buckets(step), step.ranks), ([(1_000_000, 500.0)], 4))

    def test_of_older_versions_by_the_shapes_of_tensors(self):
        described = {
            "Concrete Inputs": ["", "12", "0", "3", "allreduce", "[]"],
            "Input Dims": [[[1000, 900], [100000]], [], []],
        }
        step = self.step(record(1195, 20, 77, **described), name="ncclKernel_Generic_4")
        self.assertEqual(buckets(step), [(1_000_000, 500.0)])

    def test_without_any_they_are_refused(self):
        with self.assertRaisesRegex(StepError, "^1 reductions of gradients without a size: neither their kernels nor"):
            self.step()

    def test_another_kernel_without_any_is_left_out_with_a_line(self):
        sent = bare("ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", 1205, 1800, 9)
        step = profile.step_of([*events(), *sent])
        self.assertEqual(buckets(step), USUAL)
        self.assertIn("1 of send_recv in group unknown: left out", step.notes)


class Gradients(unittest.TestCase):
    def test_what_is_reduced_outside_of_the_backward_pass_is_left_out_with_a_line(self):
        norm, loss = reduction(1305, 2130, 9, 2_000_000), reduction(1020, 1060, 10, 3_000_000)
        step = profile.step_of([*events(), *norm, *loss])
        self.assertEqual(buckets(step), USUAL)
        self.assertIn("1 of all_reduce from the optimiser on: left out", step.notes)
        self.assertIn("1 of all_reduce before the backward pass: left out", step.notes)

    def test_a_collective_without_a_launch_is_where_the_host_called_it(self):
        # Its kernel runs while the host is in the optimiser already.
        late = [
            event(
                "ncclDevKernel_AllReduce",
                "kernel",
                1770,
                9,
                **{"External id": 5, "In msg nelems": 700_000, "Group size": 8},
            )
        ]
        called = [event("c10d::allreduce_", "cpu_op", 1205, 9, **{"External id": 5})]
        step = profile.step_of([*events(), *called, *late])
        self.assertIn((700_000, 500.0), buckets(step))

    def two_groups(self):
        others = [
            one for one in events() if "nccl" not in one["name"] and one["args"].get("correlation") not in (4, 6, 7)
        ]
        return [
            *others,
            *in_group("tensor", 2, 1150, 1460, 4, 8_000_000),
            *in_group("data", 4, 1200, 1770, 6, 1_000_000),
            *in_group("data", 4, 1205, 2090, 7, 500_000),
            *in_group("pipe", 2, 1206, 2095, 9, 10, "send"),
        ]

    def test_two_process_groups_are_refused_with_their_list(self):
        with self.assertRaises(StepError) as caught:
            profile.step_of(self.two_groups())
        self.assertEqual(
            str(caught.exception),
            "2 process groups reduce in the backward pass: tensor (tensor group, 2 ranks): 1 reductions of 8000000 "
            "values; data (data group, 4 ranks): 2 reductions of 1500000 values; name that of the gradients (data "
            "parallelism) with --group",
        )

    def test_of_two_process_groups_the_named_one_has_the_buckets_and_the_ranks(self):
        for name in ("data", "data group", "4"):
            step = profile.step_of(self.two_groups(), group=name)
            self.assertEqual(buckets(step), [(1_000_000, 500.0), (500_000, 500.0)], name)
            self.assertEqual(step.ranks, 4)
            self.assertIn("1 of all_reduce in group tensor (tensor group, 2 ranks): left out", step.notes)
            self.assertIn("1 of send_recv in group pipe (pipe group, 2 ranks): left out", step.notes)
        with self.assertRaisesRegex(StepError, "no process group pipe reduces in the backward pass; there are tensor"):
            profile.step_of(self.two_groups(), group="pipe")

    def test_a_norm_in_another_group_makes_no_second_one(self):
        norm = in_group("model", 2, 1290, 2110, 11, 1)
        step = profile.step_of([*self.two_groups()[:-6], *norm])  # without data and pipe
        self.assertEqual([bucket.values for bucket in step.buckets], [8_000_000])
        self.assertIn("1 of all_reduce in group model (model group, 2 ranks): left out", step.notes)

    def test_groups_without_names_are_told_apart_by_their_ranks(self):
        found = self.two_groups()
        for one in found:
            if one["args"].pop("Process Group Name", None):
                one["args"]["Process Group Ranks"] = "[0, 2, 4, 6]" if one["args"]["Group size"] == 4 else "[0, 1]"
        step = profile.step_of(found, group="[0, 2, 4, 6]")
        self.assertEqual([bucket.values for bucket in step.buckets], [1_000_000, 500_000])

    def test_notes_and_names_of_a_file_stay_on_their_lines(self):
        step = profile.step_of([*events(), *bare("nccl odd\nname: {}\x1b[2J", 1205, 1900, 9, **{"Group size": 8})])
        text = to_yaml(step, "a\nb.json")
        self.assertTrue(all(line.startswith("#") for line in text.splitlines()[: 1 + len(step.notes)]))
        self.assertIn("1 of nccl odd name: {} [2J: left out", text)


class Nothing(unittest.TestCase):
    def test_profiles_without_a_collective_say_what_was_looked_for_and_found(self):
        inference = [event("aten::mm", "cpu_op", 1, 2), *kernel("gemm", 3, 4, 5, 1), *kernel("gemm", 6, 9, 5, 2)]
        host = [event("aten::mm", "cpu_op", 1, 2), record(2, 3, 4, **{"Collective name": "allreduce"})]
        device = [event("job", "mtia_ccp_events", 1, 2)]
        for found, words in (
            (
                inference,
                "holds 2 kernels that compute and 0 of NCCL .*there are events 2 of cuda_runtime, 2 of kernel",
            ),
            (host, "holds 0 kernels .*there are events 2 of cpu_op; record_param_comms: 1"),
            (device, "there are events 1 of mtia_ccp_events"),
        ):
            with self.assertRaisesRegex(StepError, words):
                profile.step_of(found)


class Damage(unittest.TestCase):
    """Values of another kind, wherever they stand."""

    STRANGE = (
        None,
        True,
        [],
        {},
        [[1]],
        "",
        "x",
        "9" * 30,
        -1,
        0,
        1 << 70,
        1e300,
        float("nan"),
        float("inf"),
        "NaN",
        -5.5,
    )

    def change(self, draw, value):
        """Puts something strange in the place of a random part of a value, in place."""
        while True:
            keys = list(value) if isinstance(value, dict) else list(range(len(value)))
            key = draw.choice(keys)
            if not isinstance(value[key], (dict, list)) or not value[key] or draw.random() < 0.2:
                value[key] = copy.deepcopy(draw.choice(self.STRANGE))
                return
            value = value[key]

    def test_no_strange_value_ends_in_anything_but_words(self):
        draw = random.Random(49)
        described = {
            "Collective name": "allreduce",
            "In msg nelems": 900_000,
            "Group size": 4,
            "Process Group Name": "g",
        }
        shapes = {"Concrete Inputs": ["", "allreduce"], "Input Dims": [[[1000, 900]], []]}
        records = [record(1195, 20, 77, **described), record(1205, 3, 78, **shapes)]
        kernels = [*bare("rccl", 1200, 1770, 11, **{"External id": 77}), *bare("nccl", 1206, 1770, 12)]
        whole, read = json.dumps({"traceEvents": [*events(), *records, *kernels]}), 0
        for _ in range(3000):
            document = json.loads(whole)
            for _ in range(draw.randint(1, 3)):
                self.change(draw, document["traceEvents"])
            try:
                text = to_yaml(profile.step_of(profile.events_of(json.dumps(document), "it"), group="g"), "it")
                self.assertNotRegex(re.sub("#.*", "", text), "nan|inf|: -")
                read += 1
            except InputError as error:
                self.assertNotIn("\n", str(error))
        self.assertGreater(read, 300)


if __name__ == "__main__":
    unittest.main()
