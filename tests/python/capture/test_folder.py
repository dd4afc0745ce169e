"""The trace folder appears whole, replaces only a trace, and leaves nothing behind when given up."""

import os
import tempfile
import unittest
from pathlib import Path

import support
from oscar_capture import CaptureError
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


if __name__ == "__main__":
    unittest.main()
