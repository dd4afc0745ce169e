"""scripts/lint finds what it is there to find, in a small repository of its own."""

import ast
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
needs_python_tools = unittest.skipUnless(
    shutil.which("black") and shutil.which("flake8"),
    "there is no black or no flake8 (scripts/setup test-packages.txt installs them)",
)


@unittest.skipUnless(
    shutil.which("clang-format"), "there is no clang-format (scripts/setup test-packages.txt installs it)"
)
class Lint(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = Path(folder.name)
        (self.tree / "scripts").mkdir()
        (self.tree / "models").mkdir()
        for name in ("scripts/lint", "scripts/help.bash", ".clang-format", ".clang-tidy", ".flake8", "pyproject.toml"):
            shutil.copy(ROOT / name, self.tree / name)
        self.git("init", "-q")
        self.write("int twice(int x) { return 2 * x; }\n")

    def git(self, *arguments):
        subprocess.run(
            ("git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments),
            cwd=self.tree,
            check=True,
            capture_output=True,
        )

    def write(self, text):
        (self.tree / "models/twice.cpp").write_text(text, encoding="utf-8")
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "a change")

    def add(self, name, text):
        (self.tree / name).parent.mkdir(exist_ok=True)
        (self.tree / name).write_text(text, encoding="utf-8")
        self.git("add", "-A")

    def lint(self, *arguments, **environment):
        return subprocess.run(
            ("scripts/lint", *arguments),
            cwd=self.tree,
            text=True,
            capture_output=True,
            check=False,
            env=os.environ | environment,
        )

    def test_passes_a_tree_in_good_form(self):
        done = self.lint()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_names_a_file_in_another_form(self):
        self.write("int twice( int x ) {\n return 2*x; }\n")
        done = self.lint()
        self.assertEqual(done.returncode, 1)
        self.assertIn("models/twice.cpp:1", done.stderr)

    @needs_python_tools
    def test_names_a_python_file_in_another_form(self):
        for name, first in (
            ("python/twice.py", ""),
            ("python/twice.pyi", ""),
            ("scripts/twice", "#!/usr/bin/python3\n"),
        ):
            with self.subTest(name):
                self.add(name, f"{first}x = {{ 'a' : 1 }}\n")
                done = self.lint()
                self.assertEqual(done.returncode, 1)
                self.assertIn(f"--- {name}", done.stdout)
                self.assertIn('+x = {"a": 1}\n', done.stdout)
                self.add(name, f'{first}x = {{"a": 1}}\n')
                self.assertEqual(self.lint().returncode, 0)

    @needs_python_tools
    def test_names_a_line_of_python_that_is_longer_than_120_characters(self):
        self.add("scripts/says", f"#!/usr/bin/python3\nx = 1  # {'a' * 111}\n")
        self.assertEqual(self.lint().returncode, 0)
        self.add("scripts/says", f"#!/usr/bin/python3\nx = 1  # {'a' * 112}\n")
        done = self.lint()
        self.assertEqual(done.returncode, 1)
        self.assertIn("scripts/says:2:121: E501", done.stdout)

    @needs_python_tools
    def test_names_what_python_imports_for_nothing(self):
        self.add("python/a.py", "import os\n")
        done = self.lint()
        self.assertEqual(done.returncode, 1)
        self.assertIn("python/a.py:1:1: F401", done.stdout)

    def test_takes_no_other_script_for_python(self):
        self.add("scripts/says", "#!/bin/bash\ncat <<'E'\n#!/usr/bin/python3\nprint( 1 )\nE\n")
        done = self.lint()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertNotIn("lint: black", done.stdout)

    @unittest.skipUnless(shutil.which("clang-tidy"), "there is no clang-tidy")
    def test_gives_changed_files_to_clang_tidy(self):
        build = self.tree / "build/debug"
        build.mkdir(parents=True)
        (build / "compile_commands.json").write_text(
            f'[{{"directory": "{self.tree}", "command": "c++ -c models/twice.cpp", "file": "models/twice.cpp"}}]',
            encoding="utf-8",
        )
        self.write("int Twice(int x) { return 2 * x; }\n")
        done = self.lint()
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("readability-identifier-naming", done.stdout)
        self.write("int Twice(int x) { return 2 * x; }\n")  # nothing differs from the commit before
        self.assertEqual(self.lint().returncode, 0)
        self.assertEqual(self.lint("--all").returncode, 1)

    def test_says_how_many_files_it_leaves_out(self):
        self.write("int thrice(int x) { return 3 * x; }\n")
        self.assertIn("takes the first 0 of 1 changed files", self.lint(OSCAR_LINT_FILES="0").stdout)

    def test_fails_where_git_names_no_file(self):
        shutil.rmtree(self.tree / ".git")  # as in an unpacked archive
        for arguments in ((), ("--all",)):
            done = self.lint(*arguments, GIT_CEILING_DIRECTORIES=str(self.tree.parent))
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            self.assertIn("lint: git names no C++ file here; run it in a clone of the repository", done.stderr)

    def test_fails_where_a_clone_holds_no_file(self):
        self.git("rm", "-q", "--cached", "models/twice.cpp")
        self.assertEqual(self.lint().returncode, 1)

    def test_fails_where_the_commit_to_compare_with_is_missing(self):
        done = self.lint("--since", "v9.9")
        self.assertEqual(done.returncode, 1)
        self.assertIn(
            "lint: there is no commit 'v9.9' to tell which files changed; name another, or --all", done.stderr
        )

    def test_takes_all_files_of_a_shallow_clone_as_changed(self):
        self.write("int thrice(int x) { return 3 * x; }\n")
        clone = self.tree / "clone"
        self.git("clone", "-q", "--depth", "1", f"file://{self.tree}", str(clone))
        self.tree = clone
        done = self.lint(OSCAR_LINT_FILES="0")
        self.assertIn("lint: git holds no commit before HEAD (the first commit, or a shallow clone)", done.stdout)
        self.assertIn("takes the first 0 of 1 changed files", done.stdout)

    def test_fails_without_its_tools(self):
        tools = self.tree / "tools"
        tools.mkdir()
        for tool in ("bash", "dirname", "git", "xargs", "nproc", "sed", "clang-tidy"):
            if found := shutil.which(tool):
                (tools / tool).symlink_to(found)
        done = self.lint(PATH=str(tools))
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("there is no clang-format", done.stderr)
        self.assertNotIn("there is no black", done.stderr)  # nor any Python
        self.add("python/a.py", "x = 1\n")
        done = self.lint(PATH=str(tools))
        self.assertEqual(done.returncode, 1)
        for tool in ("black", "flake8"):
            self.assertIn(
                f"lint: there is no {tool} (scripts/setup test-packages.txt installs it); "
                "the form of Python was not checked",
                done.stderr,
            )

    def test_refuses_arguments_that_it_does_not_know(self):
        self.assertEqual(self.lint("--quickly").returncode, 2)


class Tests(unittest.TestCase):
    def test_no_module_of_tests_defines_a_name_twice_of_which_the_first_would_never_run(self):
        for file in sorted((ROOT / "tests").rglob("test_*.py")):
            tree = ast.parse(file.read_text(encoding="utf-8"))
            for scope in [tree, *(node for node in tree.body if isinstance(node, ast.ClassDef))]:
                names = [node.name for node in scope.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))]
                self.assertEqual([name for name in set(names) if names.count(name) > 1], [], file)


if __name__ == "__main__":
    unittest.main()
