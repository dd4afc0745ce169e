"""Every script refuses wrong input in one line with status 2, and ends in silence when its reader closes the pipe."""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "python"))
from oscar_summary import command

BUILD = Path(os.environ.get("OSCAR_BUILD", ROOT / "build/release")).resolve()
SCRIPTS = sorted(file.name for file in (ROOT / "scripts").iterdir() if file.is_file() and os.access(file, os.X_OK))

# Wrong command lines of each script: FILE is the README, FOLDER one without what is asked for, NOTHING is not there.
WRONG = {
    "bench": [],  # what it is given goes to other scripts
    "bench_bucket": ["--elements x"],
    "bench_peers": ["FILE", "--repetitions x"],
    "bench_scale": ["FILE", "--size x"],
    "between_nodes": [
        "--program FILE -o FOLDER",
        "--program NOTHING",
        "-j 0",
        "-o FILE",
        "--from-csv -o FILE",
        "--from-csv -o FOLDER",
    ],
    "calibrate_gpu": ["FILE"],
    "capture": ["FILE", "NOTHING", "FOLDER", "--out FILE lenet-fmnist"],
    "compressors": ["-o FILE", "FILE"],
    "demo": [],  # takes nothing
    "draw_parts": ["FILE", "-o FILE nic"],
    "design_space": [
        "--program FILE -o FOLDER",
        "--program NOTHING",
        "--technology NOTHING -o FOLDER",
        "-j 0",
        "-o FILE",
        "--from-csv -o FILE",
        "--from-csv -o FOLDER",
    ],
    "engine_kinds": [
        "--program NOTHING",
        "--program FOLDER",
        "--program FILE -o FOLDER",
        "-n 0",
        "-o FILE",
        "--from-csv -o FOLDER",
    ],
    "engine_loss": [
        "--program FILE -o FOLDER",
        "--program NOTHING",
        "--program FOLDER",
        "-o FILE",
        "--from-csv -o FILE",
        "--from-csv -o FOLDER",
        "--from-csv -o NOTHING",
    ],
    "fit_machine": ["FILE"],
    "fuzz": [],
    "generate_docs": ["FILE"],
    "gpu_coding": [
        "--program FILE -o FOLDER",
        "--program NOTHING",
        "-j 0",
        "-o FILE",
        "--from-csv -o FILE",
        "--from-csv -o FOLDER",
    ],
    "import_step": ["FILE", "FOLDER", "NOTHING", "BINARY", "PIPE", "/dev/zero", "CIRCLE", "DEEP", "--step x FILE"],
    "lint": [],
    "oscar_hw": [
        "--program FILE -o FOLDER",
        "--program NOTHING",
        "--program FOLDER",
        "-o FILE",
        "--from-csv -o FILE",
        "--from-csv -o FOLDER",
        "--from-csv -o NOTHING",
    ],
    "plot": ["FILE", "FOLDER", "NOTHING", "BINARY", "PIPE", "/dev/zero", "CIRCLE"],
    "readme_blocks": ["FILE"],
    "rtl_engine": ["FILE", "--lanes 0", "--streams 3", "-o FILE --lanes 4"],
    "rtl_mutations": ["--only NOTHING", "--jobs x", "FILE"],
    "sanitize": [],
    "saturation": [
        "-o FILE",
        "--from-reports -o FILE",
        "--from-reports -o FOLDER",
        "--from-reports -o NOTHING",
        "--from-csv -o FILE",
        "--from-csv -o FOLDER",
        "--from-csv -o NOTHING",
    ],
    "search": [
        "FILE --figure asc.allreduce_ps",
        "FOLDER --figure asc.allreduce_ps",
        "NOTHING --figure asc.allreduce_ps",
        "FILE --figure asc.allreduce_ps --program NOTHING",
        "FILE",
        "PIPE --figure asc.allreduce_ps",
        "/dev/zero --figure asc.allreduce_ps",
        "CIRCLE --figure asc.allreduce_ps",
        "DEEP --figure asc.allreduce_ps",
    ],
    "setup": ["FILE", "NOTHING", "PIPE", "/dev/zero"],
    "site": [],
    "skipped_tests": ["FILE", "NOTHING", "FOLDER", "PIPE", "/dev/zero", "CIRCLE", "DEEP"],
    "sweep_compression": [],
    "synthesise": [
        "-o FILE",
        "--from-csv -o FILE",
        "--from-csv -o FOLDER",
        "--from-csv -o NOTHING",
        "--liberty NOTHING",
        "--liberty FILE",
        "--liberty FOLDER",
        "--liberty PIPE",
        "--liberty /dev/zero",
        "--liberty CIRCLE",
        "--rtl NO_UNITS",
        "--unit nothing",
        "--derate clock=0",
        "--derate colour=2",
        "--vectorless x",
        "--clock fast",
        "--activity NOTHING",
        "--rtl FOLDER",
    ],
    "test": [],
    "trace_statistics": ["FILE", "FOLDER", "NOTHING", "PIPE", "NO_TRACE", "-o FOLDER TRACE --sample 1"],
    "trace_window": [
        "FILE OUT --bucket 0",
        "FOLDER OUT --bucket 0",
        "NOTHING OUT --bucket 0",
        "PIPE OUT --bucket 0",
        "NO_TRACE OUT --bucket 0",
        "TRACE FILE --bucket 0",
        "TRACE OUT --bucket 99",
    ],
    "train": ["FILE", "FOLDER", "NOTHING", "--from-records FILE", "--from-records -o FILE"],
    "validate": ["--program FILE -o FOLDER", "--program NOTHING", "--program FOLDER", "-o FILE --quick"],
    "where_it_pays": [
        "--program FILE -o FOLDER",
        "--program NOTHING",
        "--program FOLDER",
        "-o FILE",
        "--from-csv -o FILE",
        "--from-csv -o FOLDER",
        "--from-csv -o NOTHING",
    ],
}
USAGE = re.compile(r"usage: .*?(?=^\S+: error:)", re.MULTILINE | re.DOTALL)  # argparse's, before its one line


class WrongInput(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.words = {
            "FILE": ROOT / "README.md",
            "FOLDER": self.folder / "empty",
            "NOTHING": self.folder / "nothing",
            "OUT": self.folder / "out",
            "TRACE": ROOT / "traces/lenet-fmnist",
            "BINARY": self.folder / "binary.csv",
            "PIPE": self.folder / "pipe",
            "CIRCLE": self.folder / "circle",  # a link to itself
            "DEEP": self.folder / "deep.json",
            "NO_UNITS": self.folder / "no-units",  # a folder whose YAML is nested without end
            "NO_TRACE": self.folder / "no-units",
        }
        os.mkfifo(self.words["PIPE"])
        self.words["CIRCLE"].symlink_to(self.words["CIRCLE"])
        self.words["DEEP"].write_bytes(b"[" * 50_000)
        self.words["NO_UNITS"].mkdir()
        for name in ("units.yaml", "derating.yaml", "trace.yaml"):
            (self.words["NO_UNITS"] / name).write_bytes(b"[" * 5000)
        self.words["FOLDER"].mkdir()
        self.words["BINARY"].write_bytes(bytes(range(256)))

    def start(self, script, line, **options):
        return subprocess.Popen(
            [ROOT / "scripts" / script, *(str(self.words.get(word, word)) for word in line.split())],
            text=True,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            cwd=self.folder,
            env=os.environ | {"OSCAR_BUILD": str(BUILD), "PYTHONDONTWRITEBYTECODE": "1"},
            **options,
        )

    def test_each_script_is_in_the_list(self):
        self.assertEqual(sorted(WRONG), SCRIPTS)

    def test_each_script_refuses_it_in_one_line(self):
        for script, lines in WRONG.items():
            for line in lines:
                with self.subTest(script=script, line=line):
                    started = self.start(script, line, stdout=subprocess.PIPE)
                    _, err = started.communicate(timeout=100)
                    said = USAGE.sub("", err)
                    self.assertEqual((started.returncode, said.count("\n")), (2, 1), err)
                    self.assertRegex(said, rf"^{script}: ")
                    self.assertEqual(list(self.words["FOLDER"].iterdir()), [])
                    self.assertFalse(self.words["NOTHING"].exists())

    def test_a_reader_that_closes_the_pipe_ends_it_in_silence(self):
        for script, line in (
            ("readme_blocks", "--list"),
            ("capture", "--list"),
            ("trace_statistics", "TRACE --sample 100"),
        ):
            with self.subTest(script):
                reader, writer = os.pipe()
                os.close(reader)  # before anything is written
                started = self.start(script, line, stdout=writer)
                os.close(writer)
                self.assertEqual(started.communicate(timeout=100)[1], "")
                self.assertEqual(started.returncode, command.CLOSED_PIPE)


class Why(unittest.TestCase):
    def test_an_error_of_the_system_is_place_reason_and_remedy(self):
        self.assertEqual(
            command.why(FileNotFoundError(2, "No such file or directory", "a/b")),
            "a/b: no such file or directory; name what is there",
        )
        self.assertEqual(
            command.why(IsADirectoryError(21, "Is a directory", Path("a"))), "a: is a directory; name a file"
        )
        self.assertEqual(command.why(OSError(28, "No space left on device", "x")), "x: no space left on device")
        self.assertEqual(command.why(OSError("own words")), "own words")

    def test_a_program_that_is_not_there_is_named_with_what_builds_it(self):
        with self.assertRaisesRegex(
            command.InputError,
            "^nothing: is no program; run scripts/demo, which builds it, or name one with --program FILE$",
        ):
            command.check_program(Path("nothing"))


if __name__ == "__main__":
    unittest.main()
