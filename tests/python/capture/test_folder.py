"""The trace folder appears whole, replaces only a trace, and leaves nothing behind when given up."""

import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import support  # noqa: F401  (skips the file without PyTorch)
import yaml
from oscar_capture import CaptureError, manifest
from oscar_capture.folder import TraceWriter, why_not_writable


class Folder(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.parent = Path(temporary.name)
        self.folder = self.parent / "trace"

    def fill(self, name, text):
        self.folder.mkdir(exist_ok=True)
        (self.folder / name).write_text(text)

    def test_trace_is_replaced_when_the_new_one_is_complete_and_not_before(self):
        self.fill("trace.yaml", "format: 0\n")
        self.fill("iteration-00099.npy", "old")
        writer = TraceWriter(self.folder, replace=True)
        writer.close(writer.open(0, 1, 0))
        self.assertEqual(sorted(os.listdir(self.folder)), ["iteration-00099.npy", "trace.yaml"])
        writer.publish({"format": 1})
        self.assertEqual(sorted(os.listdir(self.folder)), ["iteration-00000.npy", "trace.yaml"])
        self.assertEqual((self.folder / "trace.yaml").read_text(), "format: 1\n")
        self.assertEqual(os.listdir(self.parent), ["trace"])

    def published(self, content):
        """trace.yaml of a trace with one array, read back."""
        writer = TraceWriter(self.folder)
        writer.close(writer.open(0, 1, 0))
        writer.publish(content)
        return yaml.safe_load((self.folder / "trace.yaml").read_text())

    @unittest.skipUnless(manifest.xxhash, "python3-xxhash is not installed")
    def test_hashes_of_the_arrays_are_those_of_what_was_written_not_of_where_they_were_cut_from(self):
        entry = {"file": "iteration-00000.npy", "step": 3, "hash": "0123456789abcdef"}
        made = self.published({"format": 1, "name": "n", "iterations": [entry]})
        found = manifest.xxhash.xxh3_64((self.folder / "iteration-00000.npy").read_bytes()).hexdigest()
        self.assertEqual(made, {"format": 2, "name": "n", "iterations": [{**entry, "hash": found}]})

    def test_trace_has_format_1_and_no_hashes_where_nothing_can_make_them(self):
        entry = {"file": "iteration-00000.npy", "step": 3}
        with mock.patch.object(manifest, "xxhash", None):
            made = self.published({"format": 2, "iterations": [{**entry, "hash": "0123456789abcdef"}]})
        self.assertEqual(made, {"format": 1, "iterations": [entry]})

    def test_discarded_replacement_leaves_the_old_trace(self):
        self.fill("trace.yaml", "format: 0\n")
        writer = TraceWriter(self.folder, replace=True)
        writer.open(0, 1, 1).close()
        writer.discard()
        self.assertEqual(os.listdir(self.parent), ["trace"])
        self.assertEqual((self.folder / "trace.yaml").read_text(), "format: 0\n")

    def test_what_is_no_trace_is_never_replaced(self):
        self.fill("note", "mine")
        self.assertIn("holds no trace.yaml", why_not_writable(self.folder, replace=True))
        (self.parent / "file").write_text("mine")
        self.assertIn("is not a folder", why_not_writable(self.parent / "file", replace=True))
        with self.assertRaises(CaptureError):
            TraceWriter(self.folder, replace=True)
        self.assertEqual(os.listdir(self.folder), ["note"])

    def test_trace_is_not_replaced_unasked(self):
        self.fill("trace.yaml", "format: 0\n")
        self.assertIn("not empty", why_not_writable(self.folder))

    def test_what_is_kept_is_found_by_the_next_writer_and_gone_once_published(self):
        writer = TraceWriter(self.folder, keep=True)
        self.assertEqual(writer.unfinished, self.parent / ".trace.unfinished")
        (writer.unfinished / "checkpoint").write_text("mine")
        writer.close(writer.open(0, 1, 0))
        writer.discard()
        self.assertEqual(os.listdir(self.parent), [".trace.unfinished"])
        after = TraceWriter(self.folder, keep=True)
        self.assertEqual((after.unfinished / "checkpoint").read_text(), "mine")
        after.close(after.open(1, 1, 0))
        after.publish({"format": 1})
        self.assertEqual(os.listdir(self.parent), ["trace"])
        self.assertEqual(sorted(os.listdir(self.folder)), ["iteration-00000.npy", "iteration-00001.npy", "trace.yaml"])

    def test_a_kept_trace_whose_first_iteration_is_written_again_has_nothing_of_the_old_one(self):
        writer = TraceWriter(self.folder, "f2", keep=True)
        for index in range(3):
            with writer.open(index, 1, 1) as file:
                file.write(bytes(4))
        writer.discard()
        after = TraceWriter(self.folder, keep=True)
        after.close(after.open(0, 1, 0))
        after.publish({"format": 1})
        self.assertEqual(sorted(os.listdir(self.folder)), ["iteration-00000.npy", "trace.yaml"])

    def test_nothing_is_kept_of_a_writer_that_wrote_nothing(self):
        TraceWriter(self.folder, keep=True).discard()
        self.assertEqual(os.listdir(self.parent), [])

    def test_a_kept_trace_replaces_only_where_asked(self):
        self.fill("trace.yaml", "format: 0\n")
        with self.assertRaisesRegex(CaptureError, "not empty"):
            TraceWriter(self.folder, keep=True)
        writer = TraceWriter(self.folder, replace=True, keep=True)
        writer.close(writer.open(0, 1, 0))
        writer.publish({"format": 1})
        self.assertEqual(
            (os.listdir(self.parent), (self.folder / "trace.yaml").read_text()), (["trace"], "format: 1\n")
        )


if __name__ == "__main__":
    unittest.main()
