"""scripts/engine_loss: its sweeps, and the page that it fills (tables: test_tables.py)."""

import contextlib
import io
import shutil
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import yaml

from tests.scripts.loading import script

engine_loss = script("engine_loss")


class Script(unittest.TestCase):
    def test_csv_files_in_another_folder_give_a_page_there(self):
        with tempfile.TemporaryDirectory() as name:
            for file in engine_loss.RESULTS.glob("engine*.csv"):
                shutil.copy(file, name)
            with contextlib.redirect_stdout(io.StringIO()) as said:
                self.assertEqual(engine_loss.main(["--from-csv", "-o", name]), 0)
            self.assertEqual(said.getvalue(), f"{name}/ENGINE.md\n")
            pages = [(folder / "ENGINE.md").read_text(encoding="utf-8") for folder in (Path(name), engine_loss.RESULTS)]
            self.assertEqual(*pages)

    def test_the_sweep_by_size_is_that_of_captures_on_generated_traces_and_one_link(self):
        with tempfile.TemporaryDirectory() as name, mock.patch.object(
            engine_loss.runs, "generated", lambda _program, folder, elements: folder / str(elements)
        ):
            made = yaml.safe_load(engine_loss.sized_sweep("program", Path(name)).read_text(encoding="utf-8"))
        values = {axis["key"]: axis["values"] for axis in made["axes"] if "key" in axis}
        self.assertEqual([Path(trace).name for trace in values["trace"]], ["500000", "4000000"])
        self.assertEqual(values["network.link.bandwidth"], ["400Gbps"])


if __name__ == "__main__":
    unittest.main()
