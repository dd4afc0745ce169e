"""The sh and python blocks of README.md and docs, run in order on what is built in OSCAR_BUILD; see
scripts/readme_blocks for what is replaced."""

import os
import re
import subprocess
import unittest
from pathlib import Path

from tests.scripts.loading import script

readme = script("readme_blocks")
ROOT = Path(__file__).resolve().parents[3]
BUILD = Path(os.environ.get("OSCAR_BUILD", ROOT / "build/release"))

MARKDOWN = """# Title
```sh
make it   # a comment
cat /tmp/out
```
```
output
```
```python
criterion(1)
```
"""


class Blocks(unittest.TestCase):
    def test_are_those_of_shell_and_python_with_their_lines(self):
        self.assertEqual(
            readme.blocks(MARKDOWN, "a.md"),
            [
                readme.Block("a.md", 3, "sh", "make it   # a comment\ncat /tmp/out\n"),
                readme.Block("a.md", 10, "python", "criterion(1)\n"),
            ],
        )

    def test_run_as_they_are_written_but_for_the_folder_tmp(self):
        shell = readme.program(readme.blocks(MARKDOWN, "a.md")[0], {}, "/scratch")
        self.assertEqual(shell[-1], "make it   # a comment\ncat /scratch/tmp/out")

    def test_have_the_commands_replaced_that_are_listed(self):
        shell = readme.program(readme.blocks(MARKDOWN, "a.md")[0], {"make it": ("true", "why")}, "/scratch")
        self.assertEqual(shell[-1], "true\ncat /scratch/tmp/out")

    def test_are_given_what_they_leave_to_their_reader(self):
        python = readme.program(readme.blocks(MARKDOWN, "a.md")[1], {}, "/scratch")
        self.assertIn("\ncriterion = ", python[-1])
        self.assertTrue(python[-1].endswith("\ncriterion(1)\n"))

    def test_a_replaced_command_that_no_block_holds_is_told(self):
        self.assertEqual(readme.unused({"make it": (), "gone": ()}, readme.blocks(MARKDOWN, "a.md")), ["gone"])

    def test_without_a_checkout_are_those_of_the_installed_program_and_package(self):
        def rest(language, text):
            return readme.without_checkout(readme.Block("a.md", 1, language, text)).text

        self.assertEqual(
            rest("sh", "build/release/oscar-sim run a\nscripts/setup a\n./scripts/demo\ncmake --install b\n"),
            "oscar-sim run a\n",
        )
        self.assertEqual(
            rest("sh", "scripts/plot a\n./scripts/plot scripts/plot b\nscripts/train\n"),
            "oscar-plot a\noscar-plot scripts/plot b\noscar-train\n",
        )
        self.assertEqual(rest("sh", "oscar-sim trace verify traces/*\n"), "")
        self.assertEqual(rest("python", "import oscar_sim\n"), "import oscar_sim\n")
        self.assertEqual(rest("python", 'import oscar_sim\nnumpy.load("traces/x.npy")\n'), "")


class Readme(unittest.TestCase):
    def test_all_its_blocks_run_in_order(self):
        done = subprocess.run(
            [str(ROOT / "scripts/readme_blocks"), "--build", str(BUILD)], capture_output=True, text=True, check=False
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(done.stdout.count(": ok,"), len(readme.blocks_of_all_pages()), done.stdout)

    def test_every_page_with_commands_is_run(self):
        pages = {"README.md", "CONTRIBUTING.md", *(f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md"))}
        with_blocks = {page for page in pages if readme.blocks((ROOT / page).read_text(encoding="utf-8"), page)}
        self.assertEqual(with_blocks, set(readme.PAGES))

    @unittest.skipUnless((ROOT / ".git").exists(), "this is no checkout of git")
    def test_what_the_tutorial_and_the_guide_to_sweeps_write_is_ignored_by_git(self):
        text = "".join(
            block.text for block in readme.blocks_of_all_pages() if block.page in ("docs/tutorial.md", "docs/sweep.md")
        )
        written = sorted(set(re.findall(r"(?:results/|traces/)?\bmy-[\w.-]+", text)))
        self.assertLessEqual(
            {"my-gradients.npz", "my-experiment.yaml", "traces/my-trace", "results/my-sweep"}, set(written)
        )
        ignored = subprocess.run(
            ["git", "check-ignore", *written], cwd=ROOT, capture_output=True, text=True, check=False
        )
        self.assertEqual(ignored.stdout.splitlines(), written, ignored.stderr)

    def test_its_first_two_commands_are_the_demo_and_the_tests(self):
        first = [block.text for block in readme.blocks_of_all_pages() if block.language == "sh"][:2]
        self.assertEqual(first, ["./scripts/demo\n", "./scripts/test\n"])

    def test_the_demo_builds_everything_that_is_installed(self):
        demo = (ROOT / "scripts/demo").read_text(encoding="utf-8")
        self.assertIn("cmake --build --preset release --target installable\n", demo)
        commands = subprocess.run(
            ["ninja", "-C", str(BUILD), "-t", "commands", "installable"], check=True, capture_output=True, text=True
        ).stdout
        self.assertRegex(commands, r"-o oscar-sim\b")
        self.assertRegex(commands, r"-o python/oscar_sim/_core\S*\.so\b")


if __name__ == "__main__":
    unittest.main()
