"""A script writes into devices, pipes and descriptors, follows links, and refuses folders."""

import os
import stat
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "python"))
from oscar_summary import files  # noqa: E402

TO_STDOUT = """
import sys; from pathlib import Path; from oscar_summary import files
print("before", end=" ", flush=True); files.replace(Path("/dev/stdout"), "text"); print(" after", end="")
"""


class WrittenFiles(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        self.page, self.link = self.folder / "page", self.folder / "link"

    def test_a_plain_file_is_replaced_and_nothing_stays_beside_it(self):
        for text in ("first, and longer", "second"):
            files.replace(self.page, text)
            self.assertEqual(self.page.read_text(), text)
        self.assertEqual(list(self.folder.iterdir()), [self.page])

    def test_bytes_are_written_as_they_are(self):
        data = bytes(range(256))
        files.replace(self.page, data)
        self.assertEqual(self.page.read_bytes(), data)

    def test_a_link_stays_and_its_target_is_replaced_or_made(self):
        (self.folder / "real").mkdir()
        target = self.folder / "real/page"
        self.page.symlink_to("real/page")
        self.link.symlink_to("page")
        for text in ("made", "replaced"):
            files.replace(self.link, text)
            self.assertEqual(target.read_text(), text)
        self.assertTrue(self.link.is_symlink() and self.page.is_symlink())

    def test_a_pipe_is_written_into(self):
        os.mkfifo(self.page)
        read = []
        reader = threading.Thread(target=lambda: read.append(self.page.read_text()))
        reader.start()
        files.replace(self.page, "x" * 200_000)
        reader.join()
        self.assertEqual(read, ["x" * 200_000])
        self.assertTrue(self.page.is_fifo())

    def test_a_device_is_written_into(self):
        try:
            os.mknod(self.page, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
            self.page.write_text("")
        except PermissionError:
            self.skipTest("only root makes devices, where it may")
        files.replace(self.page, "text")
        self.assertTrue(self.page.is_char_device())

    def test_standard_output_goes_on_where_it_stands(self):
        with open(self.page, "wb") as output:
            environment = os.environ | {"PYTHONPATH": str(ROOT / "python")}
            subprocess.run([sys.executable, "-c", TO_STDOUT], stdout=output, env=environment, check=True)
        self.assertEqual(self.page.read_text(), "before text after")

    def test_a_folder_and_a_loop_of_links_are_refused(self):
        self.page.symlink_to("link")
        self.link.symlink_to("page")
        for place, reason in ((self.folder, "directory"), (self.page, "links")):
            with self.assertRaisesRegex(OSError, reason) as caught:
                files.replace(place, "text")
            self.assertEqual(caught.exception.filename, str(place))

    def test_a_script_refuses_a_folder_in_one_line(self):
        trace = ROOT / "traces/lenet-fmnist"
        done = subprocess.run(
            [ROOT / "scripts/trace_statistics", trace, "--sample", "1000", "-o", self.folder],
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertEqual(done.stderr, f"trace_statistics: {self.folder}: is a directory; name a file\n")


if __name__ == "__main__":
    unittest.main()
