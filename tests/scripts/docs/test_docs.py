"""README and docs: links and anchors hold, lists read alike on GitHub and on the site,
generated parts and figures are up to date."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import matplotlib
import yaml

from tests.scripts.browser import CHROMIUM
from tests.scripts.docs import site_pages
from tests.scripts.loading import script

generate = script("generate_docs")
draw = script("draw_parts")
DRAWN_BY = "3.6"  # of Matplotlib; another version draws the same figure by other paths
AS_DRAWN = matplotlib.__version__.startswith(DRAWN_BY)
ROOT = Path(__file__).resolve().parents[3]
PAGES = sorted({*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("results/*/*.md"), ROOT / "traces/README.md"})
# A file or folder of the tree between backticks; results and build hold what runs write.
PATH = re.compile(r"`((?:cmake|configs|docs|examples|models|packaging|python|scripts|sim|tests|traces)/[\w./-]+)`")
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


def without_code(text):
    """A page without its blocks and spans of code, in which brackets are no links."""
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL))


def anchors(text):
    """Anchors of a page: those in HTML, and those of headings as GitHub and Python-Markdown both make them;
    where they differ, neither."""
    found = set(re.findall(r'<a id="([^"]+)"></a>', text))
    for heading in re.findall(
        r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL), re.MULTILINE
    ):
        words = re.sub(r"[^\w\s-]", "", heading.lower()).strip()
        github, site = words.replace(" ", "-"), re.sub(r"[-\s]+", "-", words.encode("ascii", "ignore").decode())
        if github == site:
            found.add(site)
    return found


def broken_links(page, text):
    """Links of a page that lead nowhere, each with the reason."""
    broken = []
    for link in LINK.findall(without_code(text)):
        if re.match(r"https?:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists():
            broken.append(f"{link}: no such file")
        elif anchor and anchor not in anchors(text if target == page else target.read_text(encoding="utf-8")):
            broken.append(f"{link}: no such heading")
    return broken


def missing_paths(text):
    """Paths of the tree that a page names between backticks and that do not exist. A page may name files that its own
    blocks of C++ write."""
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    own = re.findall(r"^// (\S+)$", text, re.MULTILINE)
    return [path for path in PATH.findall(prose) if path not in own and not (ROOT / path).exists()]


def lists_read_differently(text):
    """Lines that Python-Markdown does not take for parts of a list: no blank line before it,
    or nested by fewer than four spaces."""
    found, in_list, before = [], False, ""
    for line in re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL).splitlines():
        item = re.match(r"( *)(?:\*|-|\d+\.) \S", line)
        shallow = in_list and not before.strip() and re.match(r" {1,3}\S", line)  # a paragraph of an item
        if shallow or item and ((len(item[1]) in (1, 2, 3)) or (not item[1] and before.strip() and not in_list)):
            found.append(line)
        if item:
            in_list = True
        elif line.strip() and not line.startswith(" ") and not before.strip():
            in_list = False
        before = line
    return found


class Rules(unittest.TestCase):
    PAGE = ROOT / "docs/index.md"

    def test_a_missing_file_and_a_missing_heading_are_found(self):
        text = (
            "# One heading\n[a](model.md) [b](nosuch.md) [c](#one-heading) [d](#other) [e](model.md#conventions) "
            "[f](model.md#none) `[g](x.md)`"
        )
        self.assertEqual(
            broken_links(self.PAGE, text),
            ["nosuch.md: no such file", "#other: no such heading", "model.md#none: no such heading"],
        )

    def test_a_heading_that_the_two_spell_differently_is_no_anchor(self):
        self.assertEqual(anchors("# A & B\n## NCCL's tuner\n```\n# code\n```\n"), {"nccls-tuner"})

    def test_an_anchor_in_html_is_one(self):
        self.assertEqual(
            broken_links(self.PAGE, '| <a id="a.b"></a>[`b`](#a.b) | [`c`](#a.c) |'), ["#a.c: no such heading"]
        )

    def test_a_path_without_a_file_is_found(self):
        text = "`models/core/slots.hpp` `models/core/none.hpp` `results/my-run/report.json` `models/core`\n"
        self.assertEqual(missing_paths(text), ["models/core/none.hpp"])
        self.assertEqual(missing_paths(text + "```cpp\n// models/core/none.hpp\n```\n"), [])

    def test_lists_without_a_line_before_them_and_shallow_ones_are_found(self):
        self.assertEqual(lists_read_differently("text:\n* a\n"), ["* a"])
        self.assertEqual(lists_read_differently("text:\n\n* a\n  * b\n"), ["  * b"])
        self.assertEqual(lists_read_differently("* a\n\n  b\n"), ["  b"])
        self.assertEqual(lists_read_differently("text:\n\n* a\n  more\n* b\n    * c\n\n1. d\n2. e\n"), [])


class Pages(unittest.TestCase):
    def test_all_links_and_anchors_hold(self):
        for page in PAGES:
            with self.subTest(str(page.relative_to(ROOT))):
                self.assertEqual(broken_links(page, page.read_text(encoding="utf-8")), [])

    def test_paths_between_backticks_exist(self):
        for page in sorted(ROOT.glob("docs/*.md")):
            with self.subTest(page.name):
                self.assertEqual(missing_paths(page.read_text(encoding="utf-8")), [])

    def test_lists_read_alike_on_github_and_on_the_site(self):
        for page in PAGES:
            with self.subTest(str(page.relative_to(ROOT))):
                self.assertEqual(lists_read_differently(page.read_text(encoding="utf-8")), [])

    def test_every_page_is_in_the_menu_of_the_site(self):
        menu = set(re.findall(r": (\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE))
        self.assertEqual(menu, {str(page.relative_to(ROOT)) for page in PAGES})

    def test_the_readme_is_a_first_screen(self):
        text = (ROOT / "README.md").read_text(encoding="utf-8")
        self.assertLessEqual(len(text.splitlines()), 100)
        table = re.search(r"<!-- generated: demo-rows -->(.*?)<!-- end -->", text, re.DOTALL)[1]
        self.assertEqual(len([line for line in table.splitlines() if line.startswith("| ") and "---" not in line]), 7)

    def test_every_part_of_the_map_has_a_page_with_a_figure(self):
        model = (ROOT / "docs/model.md").read_text(encoding="utf-8")
        for name in re.findall(r"\]\(([\w-]+\.md)\)", model[: model.index("## Conventions")]):
            if name != "machine.md":  # its tree of modules is text
                self.assertRegex(
                    (ROOT / "docs" / name).read_text(encoding="utf-8"), r"!\[[^\]]+\]\(figures/[\w-]+\.svg\)", name
                )


class Papers(unittest.TestCase):
    """What whoever uses, cites or continues the project looks for."""

    def test_the_citation_names_the_version_and_the_licence_of_the_project(self):
        citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
        self.assertEqual(citation["cff-version"], "1.2.0")
        version = re.search(
            r"project\(oscar-sim VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
        )[1]
        self.assertEqual((citation["version"], citation["license"]), (version, "Apache-2.0"))
        self.assertIn(
            "Apache License\n                           Version 2.0", (ROOT / "LICENSE").read_text(encoding="utf-8")
        )
        self.assertIn(version, (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))


class Generated(unittest.TestCase):
    def test_pages_are_what_the_program_prints(self):
        if os.environ.get("UPDATE_GOLDEN") == "1":
            stale = [name for name, wanted in generate.pages().items() if generate.differences(name, wanted)]
            generate.main([])
            self.assertEqual(stale, [], "written anew")
        for name, wanted in generate.pages().items():
            if name.endswith(".svg") and not AS_DRAWN:
                continue
            self.assertEqual("\n".join(generate.differences(name, wanted)), "", "scripts/generate_docs writes it anew")

    def test_the_text_between_the_marks_alone_is_replaced(self):
        page = "a\n<!-- generated: x -->\nold\n<!-- end -->\nb\n"
        self.assertEqual(generate.filled(page, "x", "new"), "a\n<!-- generated: x -->\n\nnew\n\n<!-- end -->\nb\n")
        with self.assertRaises(ValueError):
            generate.filled(page, "y", "new")

    @unittest.skipUnless(AS_DRAWN, f"the figures are drawn by Matplotlib {DRAWN_BY} (Debian 12)")
    def test_figures_are_as_they_are_drawn(self):
        with tempfile.TemporaryDirectory() as folder:
            draw.main(["-o", folder])
            drawn = {file.name: file.read_bytes() for file in Path(folder).iterdir()}
        held = {file.name: file.read_bytes() for file in (ROOT / "docs/figures").iterdir()}
        self.assertEqual(drawn.keys(), held.keys())
        self.assertEqual(
            [name for name in drawn if drawn[name] != held[name]], [], "scripts/draw_parts draws them anew"
        )

    def test_every_figure_is_shown(self):
        text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
        self.assertEqual(
            [file.name for file in (ROOT / "docs/figures").iterdir() if f"figures/{file.name})" not in text], []
        )

    @unittest.skipUnless(shutil.which("mkdocs"), "there is no mkdocs (scripts/setup site-packages.txt installs it)")
    def test_the_site_is_built_without_a_warning_and_has_colours_anchors_figures_and_a_menu_of_one_part(self):
        done = subprocess.run([ROOT / "scripts/site"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        site = ROOT / "build/site/html"
        self.assertTrue((site / "docs/tutorial.html").exists())

        def page(name):
            return (site / "docs" / name).read_text(encoding="utf-8")

        for name, text in (
            ("experiment.html", '<span class="nt">trace</span>'),  # coloured YAML
            ("tutorial.html", '<span class="nv">scale</span>'),  # and shell
            ("tutorial.html", 'data-md-color-scheme="slate"'),
            ("tutorial.html", 'class="md-tabs"'),
            ("parameters.html", '<a id="network.link.buffer"></a>'),
            ("first-steps.html", "notebooks/first-steps.png"),
            ("first-steps.html", "style/site.css"),
        ):
            self.assertTrue(text in page(name), f"{name} has no {text}")
        for name in ("docs/notebooks/first-steps.png", "docs/style/site.css"):
            self.assertTrue((site / name).is_file(), name)
        self.assertIsNone(
            re.search(r'src="https?://|rel="stylesheet" href="https?://', page("tutorial.html")),
            "something is loaded from elsewhere",
        )
        if CHROMIUM:
            self.assertEqual(site_pages.problems(site), [])


if __name__ == "__main__":
    unittest.main()
