"""scripts/trace_window: a window has the bits, names, shapes and times of its part of the trace,
and lies in one bucket.

Run: /usr/bin/python3 -m unittest tests/scripts/traces/test_trace_window.py
"""

import contextlib
import io
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy as np
import yaml

from tests.scripts.loading import script

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = ROOT / os.environ.get("OSCAR_BUILD", "build/release") / "oscar-sim"
SCRIPT = script("trace_window")
windows = SCRIPT.windows
MIB = (1 << 20) // 4  # values of fp32 in 1 MiB

# In the order of the gradient; buckets from the end: f; then e, d, c, which have 26 MiB; then b and a.
SHAPES = {"a": [100], "b.weight": [3 * MIB], "c": [9 * MIB], "d": [MIB, 1], "e.weight": [16, MIB], "f": [MIB]}
ELEMENTS = sum(int(np.prod(shape)) for shape in SHAPES.values())
C = 100 + 3 * MIB


def write(folder, dtype="<f2", ranks=2, iterations=2, **more):
    """A trace of SHAPES whose stored values are random bits of finite numbers."""
    folder.mkdir()
    entries = []
    for i in range(iterations):
        bits = np.random.default_rng(i).integers(0, 0x7000, (ranks, ELEMENTS), "u2")
        np.save(folder / f"i{i}.npy", bits.view(dtype) if dtype == "<f2" else bits)
        entries.append({"file": f"i{i}.npy", "step": 8 + i, "stage": "late", "loss": 0.5, "scale": 2.0 ** -(3 + i)})
    layers = [{"name": name, "shape": shape, "ready": f"{100 - i}us"} for i, (name, shape) in enumerate(SHAPES.items())]
    (folder / "trace.yaml").write_text(
        yaml.safe_dump(
            {
                "format": 1,
                "name": "made-up",
                "parameters": ELEMENTS,
                "ranks": ranks,
                "data": {"name": "none", "licence": "MIT"},
                "values": "random",
                "dtype": "f2",
                "layers": layers,
                "iterations": entries,
                **more,
            },
            sort_keys=False,
        )
    )
    return folder


def call(*arguments):
    """(exit status, what was printed, errors)."""
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        status = SCRIPT.main(list(map(str, arguments)))
    return status, out.getvalue(), err.getvalue()


class Buckets(unittest.TestCase):
    def test_they_are_filled_from_the_last_tensor_and_closed_by_the_one_that_fills_them(self):
        found = windows.buckets(windows.sizes_of([{"shape": shape} for shape in SHAPES.values()]))
        self.assertEqual(
            [(bucket.begin, bucket.end) for bucket, _ in found], [(C + 26 * MIB, ELEMENTS), (C, C + 26 * MIB), (0, C)]
        )
        self.assertEqual([meetings for _, meetings in found], [[], [C + 10 * MIB, C + 9 * MIB], [100]])

    def test_window_has_the_meeting_nearest_to_the_middle_of_the_bucket_in_its_own(self):
        bucket = windows.Window(1000, 2000)
        for meetings, begin in (
            ([1100, 1600, 1900], 1550),
            ([1490, 1600], 1440),
            ([1020], 1000),
            ([1990], 1900),
            ([], 1450),
        ):
            self.assertEqual(windows.window_of(bucket, meetings, 100), windows.Window(begin, begin + 100), meetings)
        self.assertEqual(windows.window_of(bucket, [1900], 1000), bucket)

    def test_a_bucket_with_too_few_values_is_refused(self):
        with self.assertRaisesRegex(
            windows.CaptureError, "has 1000 values, so no window of 1001; choose fewer or another bucket"
        ):
            windows.window_of(windows.Window(0, 1000), [], 1001)


class Script(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = Path(temporary.name)
        cls.source = write(cls.folder / "source")

    def window(self, name, *arguments):
        """The folder and trace.yaml of a window."""
        out = self.folder / name
        self.assertEqual(call(self.source, out, *arguments)[::2], (0, ""))
        return out, yaml.safe_load((out / "trace.yaml").read_text())

    def test_bits_names_shapes_times_and_scales_are_those_of_the_source(self):
        out, trace = self.window("middle", "--bucket", 1, "--elements", 2 * MIB + 200)
        begin = C + 10 * MIB - MIB - 100  # the meeting of d and e is nearest to the middle of c, d, e
        for i, scale in enumerate((2.0**-3, 2.0**-4)):
            stored = np.load(out / f"iteration-{i:05}.npy")
            self.assertEqual(stored.dtype.str, "<f2")
            expected = np.load(self.source / f"i{i}.npy")[:, begin : begin + 2 * MIB + 200]
            np.testing.assert_array_equal(stored.view("u2"), expected.view("u2"))
            self.assertRegex(
                trace["iterations"][i].pop("hash"), r"^[0-9a-f]{16}$"
            )  # test_the_program_accepts_it checks it
            self.assertEqual(
                trace["iterations"][i],
                {"file": f"iteration-{i:05}.npy", "step": 8 + i, "stage": "late", "loss": 0.5, "scale": scale},
            )
        self.assertEqual(
            trace["layers"],
            [
                {"name": f"c[{9 * MIB - 100}:{9 * MIB}]", "shape": [100], "ready": "98us"},
                {"name": "d", "shape": [MIB, 1], "ready": "97us"},
                {"name": f"e.weight[0:{MIB + 100}]", "shape": [MIB + 100], "ready": "96us"},
            ],
        )
        self.assertEqual((trace["name"], trace["parameters"], trace["ranks"]), ("made-up-window", 2 * MIB + 200, 2))

    def test_values_say_which_window_of_which_trace_it_is(self):
        _, trace = self.window("note", "--bucket", 2, "--elements", 10)
        identity = subprocess.run(
            [PROGRAM, "trace", "hash", self.source], capture_output=True, text=True, check=True
        ).stdout.split()[0]
        self.assertEqual(
            trace["values"],
            "random; window of bucket 2 of made-up: values 95 to 105 of the gradient, the last not one of them, "
            f"of the trace with the hash {identity}",
        )
        self.assertEqual([layer["name"] for layer in trace["layers"]], ["a[95:100]", "b.weight[0:5]"])

    def test_the_program_accepts_it(self):
        out, _ = self.window("verified", "--bucket", 0, "--elements", 1000)
        run = subprocess.run([PROGRAM, "trace", "verify", out], capture_output=True, text=True, check=False)
        self.assertEqual((run.returncode, run.stderr), (0, ""))

    def test_iterations_are_chosen_by_position(self):
        out, trace = self.window("last", "--bucket", 2, "--elements", 10, "--iterations", "1:")
        self.assertEqual([entry["step"] for entry in trace["iterations"]], [9])
        self.assertEqual(sorted(path.name for path in out.iterdir()), ["iteration-00000.npy", "trace.yaml"])

    def test_what_cannot_be_is_said_in_a_line_and_nothing_is_written(self):
        cases = [
            ((self.source, "--bucket", 3), "has no bucket 3; it has 0 to 2"),
            ((self.source, "--bucket", 0, "--elements", MIB + 1), f"the bucket has {MIB} values"),
            (
                (self.source, "--bucket", 0, "--elements", 5, "--iterations", "2:4"),
                "has 2 iterations, none of which is in the range",
            ),
            ((self.folder / "none", "--bucket", 0), "none: no such folder"),
        ]
        for (trace, *arguments), message in cases:
            with self.subTest(message):
                status, printed, errors = call(trace, self.folder / "refused", *arguments)
                self.assertEqual((status, printed, errors.count("\n")), (2, "", 1))
                self.assertRegex(errors, "(?i)^trace_window: .*" + message)
                self.assertFalse((self.folder / "refused").exists())

    def test_a_folder_with_contents_is_left_alone(self):
        status, _, errors = call(self.source, self.source, "--bucket", 0, "--elements", 5)
        self.assertEqual(status, 2)
        self.assertIn("not empty", errors)

    def test_help_and_wrong_arguments(self):
        for arguments in (
            ["x", "y", "--bucket", "0", "--iterations", "2"],
            ["x", "y", "--bucket", "0", "--elements", "0"],
            ["x", "y"],
        ):
            with self.subTest(arguments), self.assertRaises(SystemExit) as ended, contextlib.redirect_stderr(
                io.StringIO()
            ):
                SCRIPT.main(arguments)
            self.assertEqual(ended.exception.code, 2)


if __name__ == "__main__":
    unittest.main()
