"""oscar-sim report in headless Chromium: charts have data, labels cover no other, nothing fails, at two widths."""

import csv
import json
import re
import shutil
import tempfile
import unittest
from pathlib import Path

from tests.scripts.browser import CHROMIUM, looked_at
from tests.scripts.program.terminal import piped

ROOT = Path(__file__).resolve().parents[3]

# 200 points.
SWEEP = """
base: {base}
set: {{iterations: {{first: 1, count: 1}}, layers: conv1.*, methods: [fp32, fixed_point, asc]}}
axes:
  - {{key: ranks, values: [2, 3, 4, 6, 8]}}
  - {{key: network.link.bandwidth, range: {{from: 25Gbps, to: 200Gbps, step: 25Gbps}}}}
  - {{key: quantiser.bits, range: {{from: 4, to: 12, step: 2}}}}
"""

# Of each chart: its drawn shapes, its texts (with title and legend), the texts that it cuts off, and the pairs of texts
# whose boxes overlap. Texts that Vega leaves out, since they have no room, are transparent.
PROBE = """<script>
window.addEventListener("load", () => {
  const found = [...document.querySelectorAll("figure")].map((figure) => {
    const texts = [...figure.querySelectorAll("svg text, h4, .legend button")]
      .filter((text) => text.textContent.trim() && text.getAttribute("opacity") !== "0");
    const boxes = texts.map((text) => [text.textContent, text.getBoundingClientRect()]);
    const covered = [];
    for (let i = 0; i < boxes.length; ++i)
      for (let j = i + 1; j < boxes.length; ++j) {
        const [a, b] = [boxes[i][1], boxes[j][1]];
        if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3)
          covered.push(boxes[i][0] + " / " + boxes[j][0]);
      }
    const frame = figure.getBoundingClientRect();
    const cut = boxes.filter(([, box]) => box.left < frame.left - 1 || box.right > frame.right + 1 ||
      box.top < frame.top - 2 || box.bottom > frame.bottom + 2).map(([text]) => text);
    return { title: figure.querySelector("h4").textContent, cut, covered, texts: texts.length,
      shapes: figure.querySelectorAll(".chart svg path, .chart svg line").length };
  });
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  const legend = document.querySelector(".legend:has(button)") || document.querySelector(".legend");
  const marks = () => document.querySelectorAll(".chart svg path").length, before = marks();
  if (legend.querySelector("button")) legend.querySelector("button").click();
  const place = document.createElement("pre");
  place.id = "probe";
  const tables = document.querySelectorAll("table").length;
  place.textContent = JSON.stringify({ found, wide, hidden: before - marks(), tables });
  document.body.append(place);
});
</script>"""


@unittest.skipUnless(CHROMIUM, "chromium is missing")
class ReportPage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        for name, *changes in (
            ("demo",),
            ("faster", "network.link.bandwidth=100Gbps"),
            ("true-size", "methods=[fp32, bf16, fixed_point, asc]"),
            ("step",),
        ):
            experiment = {"true-size": "co-design", "step": "fsdp", "faster": "demo"}.get(name, name)
            settings = [word for change in changes for word in ("--set", change)]
            config = ROOT / f"configs/experiments/{experiment}.yaml"
            done = piped("run", str(config), "-q", *settings, "-o", str(cls.folder / name))
            assert done.returncode == 0, done.stderr
        (cls.folder / "sweep.yaml").write_text(SWEEP.format(base=ROOT / "configs/experiments/demo.yaml"))
        done = piped("sweep", str(cls.folder / "sweep.yaml"), "-o", str(cls.folder / "points"))
        assert done.returncode == 0, done.stderr
        shutil.copytree(ROOT / "results/training/lenet-fmnist", cls.folder / "training")
        cls.add_run_of_many_methods()

    @classmethod
    def add_run_of_many_methods(cls):
        """The run `many`: methods of the demo, and four slower and less exact variants of each. The slowest takes 1.28
        times the 96.8 us of fp32, 123.9 us, so that a number, 120, stands near the end of the axis."""
        report = json.loads((cls.folder / "demo/report.json").read_text(encoding="utf-8"))
        for variant in range(1, 5):
            for method in list(report["methods"][: len(report["methods"]) // variant]):
                waits = variant * 7 * method["allreduce_ps"] // 100
                path = method["critical_path"] | {"wait_ps": method["critical_path"]["wait_ps"] + waits}
                other = {"name": f"{method['name']} variant {variant}", "critical_path": path}
                other |= {"allreduce_ps": method["allreduce_ps"] + waits}
                other |= {"relative_l2_error": (1 + variant) * method["relative_l2_error"]}
                report["methods"].append(method | other)
        (cls.folder / "many").mkdir()
        (cls.folder / "many/report.json").write_text(json.dumps(report))

    def page(self, *runs):
        file = self.folder / ("-".join(runs) + ".html")
        done = piped("report", *(str(self.folder / run) for run in runs), "-o", str(file))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return file

    def looked_at(self, page, width):
        """What PROBE finds, in a page so many pixels wide; nothing may fail there."""
        probed = page.with_suffix(f".{width}.html")
        style = f"<style>body {{ width: {width}px !important; margin: 0 !important; }}</style>"
        before, title, after = page.read_text(encoding="utf-8").partition("<title>")
        head, end, rest = after.rpartition("</body>")
        probed.write_text(before + style + title + head + PROBE + end + rest)
        return looked_at(f"file://{probed}", width, self.folder / "profile")

    def test_charts_are_drawn_and_no_label_covers_another(self):
        for runs, charts in (
            (("demo",), 8),
            (("true-size",), 7),
            (("step",), 8),
            (("demo", "faster"), 17),
            (("points",), 4),
            (("training",), 2),
            (("many",), 9),
        ):
            page = self.page(*runs)
            for width in (1280, 390):
                with self.subTest(runs=runs, width=width):
                    seen = self.looked_at(page, width)
                    self.assertGreaterEqual(len(seen["found"]), charts)
                    for chart in seen["found"]:
                        with self.subTest(chart=chart["title"]):
                            self.assertGreater(chart["shapes"], 4)
                            self.assertGreater(chart["texts"], 4)
                            self.assertEqual((chart["covered"], chart["cut"]), ([], []))
                    self.assertGreater(seen["tables"], 0 if runs == ("training",) else 2)
                    self.assertLessEqual(seen["wide"], 0)

    def test_a_click_in_a_legend_hides_what_it_names(self):
        """Of the bars of the demo those of the first cause: one for each of its methods."""
        with (self.folder / "demo/report.json").open(encoding="utf-8") as report:
            methods = len(json.load(report)["methods"])
        self.assertGreaterEqual(self.looked_at(self.page("demo"), 1280)["hidden"], methods)

    def test_a_page_is_small(self):
        for runs in (("demo",), ("demo", "faster"), ("points",), ("training",)):
            self.assertLess(self.page(*runs).stat().st_size, 1_500_000)

    def test_without_a_name_the_page_lies_in_the_folder_or_has_the_names_of_several(self):
        done = piped("report", str(self.folder / "demo"))
        self.assertEqual((done.returncode, done.stdout), (0, f"{self.folder}/demo/report.html\n"), done.stderr)
        self.assertTrue((self.folder / "demo/report.html").is_file())
        done = piped("report", str(self.folder / "demo"), str(self.folder / "faster/report.json"), cwd=self.folder)
        self.assertEqual((done.returncode, done.stdout), (0, "demo-faster.html\n"), done.stderr)
        self.assertTrue((self.folder / "demo-faster.html").is_file())

    def test_the_page_of_a_step_has_its_figures(self):
        self.assertIn("The training step around the AllReduce", self.page("step").read_text(encoding="utf-8"))

    def test_the_page_of_a_sweep_has_a_row_for_each_point_and_method(self):
        text = self.page("points").read_text(encoding="utf-8")
        self.assertIn("200 points: 200 done.", text)
        self.assertEqual(text.count('<td class="text">asc</td>'), 200 + 2)  # and its fastest, and its largest gain
        self.assertEqual(text.count("<table>"), 3)

    def test_the_page_of_a_training_says_what_scripts_train_says(self):
        """Qualities and times to the target of results/training/methods.csv."""
        text = self.page("training").read_text(encoding="utf-8")
        with (ROOT / "results/training/methods.csv").open(encoding="utf-8") as lines:
            rows = [row for row in csv.DictReader(list(lines)[1:]) if row["training"] == "lenet-fmnist"]
        self.assertGreater(len(rows), 20)
        for row in rows:
            shown = re.search(f'<td class="text">{re.escape(row["method"])}</td>(.*?)</tr>', text)
            cells = re.findall(r"<td[^>]*>(.*?)</td>", shown.group(1))
            self.assertAlmostEqual(float(cells[1]), float(row["quality"]), delta=6e-5)
            self.assertAlmostEqual(float(cells[4]), float(row["seconds"]), delta=6e-4)
            time = f"{float(cells[5]):.2f} s" if cells[5] != "never" else "never"
            self.assertEqual(time, row["to_target"])

    def test_wrong_places_leave_no_page(self):
        sweep = self.folder / "sweep"
        sweep.mkdir()
        (sweep / "points.sqlite").touch()
        other = self.folder / "other"
        other.mkdir()
        report = json.loads((self.folder / "demo/report.json").read_text(encoding="utf-8"))
        (other / "report.json").write_text(json.dumps(report | {"schema": 2}))
        for place, says in (
            (sweep, "database of another program"),
            (other, "is a report of schema 2"),
            (self.folder, "has no report.json"),
            ("README.md", "is no JSON"),
            ("none", "no such file"),
        ):
            file = self.folder / "none.html"
            done = piped("report", str(self.folder / "demo"), str(place), "-o", str(file))
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done.stderr)
            self.assertIn(says, done.stderr)
            self.assertFalse(file.exists())

    def test_a_disk_that_is_full_leaves_no_page(self):
        done = piped("report", str(self.folder / "demo"), "-o", "/proc/no.html")
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)


if __name__ == "__main__":
    unittest.main()
