"""scripts/train as a program: what it says and how it ends."""

import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from tests.scripts.loading import script

ROOT = Path(__file__).resolve().parents[3]
GOOD = """\
workload: lenet-fmnist
machine: {}
methods: [dense]
"""


def train(text, *arguments):
    """(exit status, stdout, stderr, files) of scripts/train with a configuration of this text."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "a.yaml").write_text(text)
        run = subprocess.run(
            [sys.executable, ROOT / "scripts/train", f"{folder}/a.yaml", "-o", f"{folder}/out", *arguments],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": ""},
        )
        return (
            run.returncode,
            run.stdout,
            run.stderr.replace(folder, ""),
            sorted(str(p.relative_to(folder)) for p in Path(folder).rglob("*")),
        )


def limit_memory():
    """So that a device that never ends is an error here and does not fill the machine."""
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))


class WrongInput(unittest.TestCase):
    def test_it_ends_with_status_2_one_line_and_no_folder(self):
        for text, arguments, line in (
            (
                GOOD.replace("lenet-", "lent-"),
                (),
                "/a.yaml:1:11: workload: no workload 'lent-fmnist' (did you mean lenet-fmnist?)",
            ),
            (
                GOOD.replace("[dense]", "dense"),
                (),
                "/a.yaml:3:10: methods: a list of methods is due; write it like [dense, ",
            ),
            (GOOD.replace("[dense]", ""), (), "/a.yaml:3:1: methods: is missing; write methods: VALUE"),
            (GOOD + "seeds: 1\n", (), "/a.yaml:4:8: seeds: "),
            (GOOD + "epoch: 0\n", (), "/a.yaml:4:8: epoch: "),
            (GOOD + "name: ../b\n", (), "/a.yaml:4:7: name: "),
            (
                GOOD.replace("dense", "dens"),
                (),
                "/a.yaml:3:11: methods.0: 'dens' is not known (did you mean dense?)",
            ),
            (
                GOOD.replace("{}", "{network: {topologi: x}}"),
                (),
                "/a.yaml:2:21: machine.network.topologi: no such parameter (did you mean topology?)",
            ),
            (GOOD, ("--method", "dens"), "--method dens: no such method (did you mean dense?)"),
        ):
            with self.subTest(line):
                status, out, err, files = train(text, *arguments)
                self.assertEqual((status, out, files), (2, "", ["a.yaml"]), err)
                self.assertTrue(err.startswith(f"train: {line}"), err)
                self.assertEqual(err.count("\n"), 1, err)

    @unittest.skipIf("fsanitize" in os.environ.get("OSCAR_CXX_FLAGS", ""), "the sanitizer has memory of its own")
    def test_a_pipe_or_a_device_is_refused_and_not_waited_for(self):
        with tempfile.TemporaryDirectory() as folder:
            os.mkfifo(f"{folder}/pipe.yaml")
            for file in (f"{folder}/pipe.yaml", "/dev/zero"):
                with self.subTest(file):
                    run = subprocess.run(
                        [sys.executable, ROOT / "scripts/train", file, "-o", f"{folder}/out"],
                        capture_output=True,
                        text=True,
                        check=False,
                        timeout=20,
                        env={**os.environ, "PYTHONPATH": ""},
                        preexec_fn=limit_memory,
                    )
                    self.assertEqual(
                        (run.returncode, run.stderr), (2, f"train: {file}: is a pipe or a device; name a YAML file\n")
                    )

    def test_options_are_checked_before_files_are_read(self):
        for arguments in (("--steps", "0"), ("-j", "0"), ("--seed", "x")):
            with self.subTest(arguments):
                status, _, err, _ = train(GOOD, *arguments)
                self.assertEqual(status, 2)
                self.assertIn("a whole number of at least", err)


class Training(unittest.TestCase):
    """Real ones, of two steps."""

    def test_a_quick_look_takes_the_first_seed_and_says_beforehand_how_much_there_is(self):
        status, out, err, files = train(GOOD, "--quick", "--steps", "2", "-j", "1")
        self.assertEqual(status, 0, err)
        self.assertEqual(
            [file for file in files if file.endswith(".json")], ["out/a/dense-seed1.json"]
        )  # of seeds 1, 2, 3
        self.assertIn("train: 1 trainings, 0 there; 1 to make, of 2 steps in all\n", err)
        self.assertIn("train: a/dense-seed1.json\n", err)
        self.assertTrue(out.endswith("/out/SUMMARY.md\n"), out)

    def test_a_quick_look_is_long_enough_for_a_quality(self):
        quick = script("train").QUICK
        from oscar_training import comparisons  # which the script has put on the path

        self.assertGreaterEqual(quick["steps"] // quick["evaluate"], comparisons.WINDOW)

    def on_terminal(self, steps):
        """What scripts/train shows on a terminal that trains so many steps."""
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "a.yaml").write_text(GOOD)
            try:
                terminal, end = os.openpty()
            except OSError as error:
                self.skipTest(f"no pseudo-terminals here; mount /dev/pts ({error})")
            run = subprocess.Popen(
                [
                    sys.executable,
                    ROOT / "scripts/train",
                    f"{folder}/a.yaml",
                    "-o",
                    f"{folder}/out",
                    "--quick",
                    "--steps",
                    str(steps),
                    "-j",
                    "1",
                ],
                stdout=subprocess.DEVNULL,
                stderr=end,
                env={**os.environ, "PYTHONPATH": ""},
            )
            os.close(end)
            shown = b""
            while part := read(terminal):
                shown += part
            os.close(terminal)
            self.assertEqual(run.wait(), 0, shown)
        return shown.decode()

    def test_a_terminal_sees_progress_within_a_training_and_the_time_that_is_left(self):
        shown = self.on_terminal(steps=150)
        self.assertRegex(shown, r"train:   0%.* 0/150 \[00:0\d<\?, ")  # elapsed, and left: not known yet
        done = [int(steps) for steps in re.findall(r" (\d+)/150 \[\d\d:\d\d<\d\d:\d\d, ", shown)]
        self.assertTrue(any(0 < steps < 150 for steps in done), shown)
        self.assertEqual(done, sorted(done))

    def test_an_end_from_outside_ends_what_it_has_started(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number), tempfile.TemporaryDirectory() as folder:
                (Path(folder) / "a.yaml").write_text(GOOD)
                run = subprocess.Popen(
                    [sys.executable, ROOT / "scripts/train", f"{folder}/a.yaml", "-o", f"{folder}/out", "-j", "1"],
                    stderr=subprocess.PIPE,
                    text=True,
                    start_new_session=True,
                    env={**os.environ, "PYTHONPATH": ""},
                )
                self.addCleanup(kill_session, run.pid)
                wait_until(lambda: "oscar-sim" in session(run.pid).values())
                os.kill(run.pid, number)
                said = run.communicate(timeout=60)[1]
                self.assertEqual(run.returncode, 130, said)
                self.assertIn("train: interrupted; the same command goes on where it was\n", said)
                wait_until(lambda: not session(run.pid))

    def test_where_all_trainings_fail_there_is_no_summary(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "a.yaml").write_text(GOOD)
            (Path(folder) / "out").mkdir()
            (Path(folder) / "out/a").write_text("a file, where a folder is to be made")
            run = subprocess.run(
                [
                    sys.executable,
                    ROOT / "scripts/train",
                    f"{folder}/a.yaml",
                    "-o",
                    f"{folder}/out",
                    "--quick",
                    "--steps",
                    "1",
                ],
                capture_output=True,
                text=True,
                check=False,
                env={**os.environ, "PYTHONPATH": ""},
            )
            self.assertEqual(
                (run.returncode, run.stdout, sorted(os.listdir(folder))), (1, "", ["a.yaml", "out"]), run.stderr
            )
            self.assertRegex(
                run.stderr, r"^train: 1 trainings, .*\ntrain: a/dense-seed1\.json: .*File exists: [^\n]*\n$"
            )  # and no traceback


def session(leader):
    """{process: name} of the programs of a session that have not ended."""
    found = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            before, after = stat.read_text().rsplit(")", 1)
        except OSError:  # it has ended meanwhile
            continue
        state, _, _, of_session = after.split()[:4]
        if int(of_session) == leader and state != "Z":
            found[int(stat.parent.name)] = before.split("(", 1)[1]
    return found


def kill_session(leader):
    for process in session(leader):
        os.kill(process, signal.SIGKILL)


def wait_until(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"{seconds} s have passed")
        time.sleep(0.1)


def read(terminal):
    """What a terminal shows next; nothing at its end."""
    try:
        return os.read(terminal, 4096)
    except OSError:
        return b""


if __name__ == "__main__":
    unittest.main()
