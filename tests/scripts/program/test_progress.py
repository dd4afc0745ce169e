"""oscar-sim tells on a terminal how far it is, and leaves nothing where it is interrupted."""

import os
import re
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from tests.scripts.program.terminal import DEMO, PROGRAM, ROOT, Terminal, need_terminals, piped

# Seconds of one AllReduce, with fp32 alone.
LONG = (
    "run",
    str(ROOT / "configs/experiments/peers.yaml"),
    "--set",
    "fidelity=flit",
    "--set",
    "ranks=16",
    "--set",
    "size=64MiB",
    "--set",
    "methods=[fp32]",
)
CLEAR = "\r\x1b[K"

setUpModule = need_terminals


class Progress(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def interrupt(self, *arguments):
        """The program, interrupted once it has shown some progress within its first piece of work."""
        shown = Terminal(80, *arguments, cwd=self.folder).read_until(r"\] [1-9]\d? %")
        shown.process.send_signal(signal.SIGINT)
        return shown.read_to_end()

    def test_one_allreduce_tells_how_far_it_is_and_how_long_it_still_takes(self):
        shown = Terminal(80, *LONG, cwd=self.folder).read_until(r"\] [3-9]\d %")
        shown.process.kill()
        shares = [int(share) for share in re.findall(r"\] (\d+) %, fp32", shown.read_to_end().text)]
        self.assertEqual(shares, sorted(shares))
        self.assertGreater(len(set(shares)), 2)
        self.assertRegex(shown.text, r"%, fp32, about \d+ (s|min \d+ s) left")

    def test_a_run_that_is_interrupted_leaves_neither_progress_nor_folders(self):
        shown = self.interrupt(*LONG)
        self.assertEqual(shown.process.returncode, -signal.SIGINT)  # 130 to a shell
        self.assertTrue(shown.text.endswith(CLEAR), shown.text[-80:])
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_shell_sees_130(self):
        shell = subprocess.Popen(
            ["bash", "-c", f"{PROGRAM} {' '.join(map(repr, LONG))}; echo $?"],
            cwd=self.folder,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        children = Path(f"/proc/{shell.pid}/task/{shell.pid}/children")
        while not (children.read_text().split() and (self.folder / "results").exists()):
            time.sleep(0.02)
        os.kill(int(children.read_text().split()[0]), signal.SIGINT)
        self.assertEqual(shell.communicate()[0].strip(), "130")

    def test_a_trace_that_is_interrupted_leaves_no_part_of_it(self):
        shown = self.interrupt("trace", "generate", str(self.folder / "trace"), "--elements", "20000000")
        self.assertIn("iteration 1 of 4", shown.text)
        self.assertEqual(shown.process.returncode, -signal.SIGINT)
        self.assertTrue(shown.text.endswith(CLEAR), shown.text[-80:])
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_traffic_tells_how_far_it_is(self):
        shown = Terminal(
            80,
            "traffic",
            "configs/traffic/mesh4-tornado.yaml",
            "--set",
            "traffic.measure=3000",
            "-o",
            str(self.folder / "out"),
        )
        self.assertRegex(shown.read_to_end().text, r"\] [1-9]\d %, load 0\.\d+, about \d+ s left")

    def test_one_load_of_traffic_tells_how_far_it_is(self):
        shown = Terminal(
            80,
            "traffic",
            "configs/traffic/mesh8-uniform.yaml",
            "--set",
            "saturation=null",
            "--set",
            "traffic.loads=[0.3]",
            "--set",
            "traffic.measure=100000",  # takes a second or more
            "-o",
            str(self.folder / "out"),
        ).read_to_end()
        shares = [int(share) for share in re.findall(r"\] (\d+) %, load 0\.3", shown.text)]
        self.assertEqual(shares, sorted(shares))
        self.assertGreater(len(set(shares)), 3)

    def test_a_pipe_sees_no_progress(self):
        self.assertEqual(piped(*DEMO, "-o", str(self.folder / "out")).stderr, "")


if __name__ == "__main__":
    unittest.main()
