"""python/oscar_summary/user_file: what is read of a file that a user names, and what is refused in one line."""

import gzip
import os
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "python"))
from oscar_summary import user_file
from oscar_summary.command import InputError

WHAT = "a trace"


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def file(self, data):
        path = self.folder / "file"
        path.write_bytes(data)
        return path


class Content(Folder):
    def refused(self, path, words, most=1000):
        with self.assertRaises(InputError) as caught:
            user_file.content(path, WHAT, most)
        self.assertEqual(str(caught.exception), f"{path}: {words}; name a trace")

    def test_a_file_is_read_whole_and_compressed_ones_are_unpacked(self):
        twice = gzip.compress(b"one ") + gzip.compress(b"two") + b"\0\0"  # as `cat a.gz b.gz`, padded
        for data, read in ((b"", b""), (b"abc", b"abc"), (gzip.compress(b"abc"), b"abc"), (twice, b"one two")):
            self.assertEqual(user_file.content(self.file(data), WHAT), read)

    def test_what_is_no_regular_file_is_refused_at_once(self):
        pipe, link = self.folder / "pipe", self.folder / "link"
        os.mkfifo(pipe)  # nobody writes it: opening it would wait for ever
        link.symlink_to(link)
        self.refused(pipe, "is a pipe or a device")
        self.refused(Path("/dev/zero"), "is a pipe or a device")
        self.refused(self.folder, "is a folder")
        self.refused(link, "cannot be opened (too many levels of symbolic links)")
        self.refused("x" * 5000, "cannot be opened (file name too long)")
        with self.assertRaisesRegex(InputError, r"^'a\\x00b': no file has such a name; name a trace$"):
            user_file.content("a\0b", WHAT)
        with self.assertRaises(FileNotFoundError):
            user_file.content(self.folder / "none", WHAT)

    def test_no_file_is_left_open(self):
        before = len(os.listdir("/proc/self/fd"))
        for _ in range(3):
            self.refused(self.folder, "is a folder")
            user_file.content(self.file(b"abc"), WHAT)
        self.assertEqual(len(os.listdir("/proc/self/fd")), before)

    def test_sizes_are_bounded_compressed_and_not(self):
        self.assertEqual(len(user_file.content(self.file(bytes(1000)), WHAT, 1000)), 1000)
        self.refused(self.file(bytes(1001)), "is larger than 1000 bytes")
        self.assertEqual(len(user_file.content(self.file(gzip.compress(bytes(1000))), WHAT, 1000)), 1000)
        self.refused(self.file(gzip.compress(bytes(1001))), "holds more than 1000 bytes")
        self.refused(self.file(gzip.compress(bytes(600)) * 2), "holds more than 1000 bytes")
        sparse = self.file(b"")
        os.truncate(sparse, 1 << 40)  # a terabyte, of which nothing is read
        self.refused(sparse, "is larger than 2 MiB", 2 << 20)

    def test_a_bomb_is_refused_before_it_is_unpacked(self):
        bomb = gzip.compress(bytes(200 << 20), 1)  # less than 1 MiB that holds 200
        self.assertLess(len(bomb), 1 << 20)
        self.refused(self.file(bomb), "holds more than 1 MiB", 1 << 20)

    def test_damaged_compression_is_refused(self):
        whole = gzip.compress(b"abcdefgh" * 20)
        self.refused(self.file(whole[:-9]), "is no whole gzip file (it ends early)")
        self.refused(self.file(whole[:12]), "is no whole gzip file (it ends early)")
        for at in range(2, len(whole)):  # each byte altered: read, or refused in these words
            damaged = bytearray(whole)
            damaged[at] ^= 255
            try:
                user_file.content(self.file(bytes(damaged)), WHAT)
            except InputError as error:
                self.assertRegex(str(error), "is no whole gzip file .*; name a trace$")


class Text(Folder):
    def test_utf_8_is_due_and_its_first_wrong_byte_is_named(self):
        self.assertEqual(user_file.decoded(b"\xef\xbb\xbfabc", "f", WHAT), "abc")
        with self.assertRaisesRegex(InputError, "^f:2:3: is no UTF-8; name a trace$"):
            user_file.decoded(b"abc\nde\xff", "f", WHAT)

    def test_json_that_is_wrong_deep_or_too_exact_is_refused_in_one_line(self):
        self.assertEqual(user_file.json_of('{"a": [1, 2.5]}', "f", WHAT), {"a": [1, 2.5]})
        self.assertEqual(user_file.json_of("[1.5]", "f", WHAT, parse_float=str), ["1.5"])
        for text, words in (
            ('{"a":\n 1,}', r"f:2:\d: .* (property name|trailing comma) .*; name a trace"),
            ("[" * 200_000, "f: is nested too deeply; name a trace"),
            ('{"a":' * 200_000, "f: is nested too deeply; name a trace"),
            ("9" * 5000, "f: holds a number of too many digits; name a trace"),
        ):
            with self.assertRaisesRegex(InputError, f"^({words})$"):
                user_file.json_of(text, "f", WHAT)


if __name__ == "__main__":
    unittest.main()
