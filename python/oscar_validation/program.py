"""Runs oscar-sim and reads what it wrote."""

import json
import subprocess
import tempfile
from pathlib import Path

from oscar_summary.runs import PROGRAM, ROOT

CONFIGS = ROOT / "configs/validation"
TRAFFIC_CONFIGS = ROOT / "configs/traffic"
WRITES = {"predict": "prediction.json", "run": "report.json", "traffic": "report.json"}


class ProgramError(Exception):
    """oscar-sim failed; the text is what it said."""


def call(command, config, overrides=(), program=PROGRAM):
    """The JSON that `oscar-sim command` writes for a file of configs/validation, or of configs/traffic."""
    with tempfile.TemporaryDirectory() as folder:
        words = [program, command, (TRAFFIC_CONFIGS if command == "traffic" else CONFIGS) / config, "-o", folder]
        for override in overrides:
            words += ["--set", override]
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
        if done.returncode != 0:
            raise ProgramError(done.stderr.strip())
        return json.loads((Path(folder) / WRITES[command]).read_text(encoding="utf-8"))
