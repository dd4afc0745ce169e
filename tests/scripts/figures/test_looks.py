"""Looks of methods: which ones are highlighted, and that colours, markers and hatches tell them apart."""

import unittest

from tests.scripts.figures.drawn import ROOT, Figures


class Style(Figures):
    def test_the_first_six_of_the_table_are_highlighted_and_of_others_those_that_come_first(self):
        from oscar_plot import style

        methods = ["bf16", "mine", "oscar-hw", "asc", "fp32", "yours", "fixed_point", "ours"]
        self.assertEqual(style.highlighted(methods), ["fp32", "oscar-hw", "fixed_point", "asc", "bf16", "mine"])

    def test_a_look_does_not_depend_on_what_else_is_drawn(self):
        from oscar_plot import style

        for method in ("oscar-hw", "mine"):
            alone, beside = style.of([method])[method], style.of(["fp32", method])[method]
            self.assertEqual(alone, beside)

    def test_six_methods_without_a_look_of_their_own_differ_in_colour(self):
        from oscar_plot import style

        for start in range(50):
            looks = style.of([f"method {start + i}" for i in range(style.MOST)])
            self.assertEqual(len({look.colour for look in looks.values()}), style.MOST)

    def test_highlighted_methods_of_the_shipped_files_differ_in_colour_marker_and_hatch(self):
        import yaml
        from oscar_plot import style

        common = yaml.safe_load((ROOT / "configs/training/methods/common.yaml").read_text(encoding="utf-8"))
        files = [
            yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))["methods"]
            for name in (
                "configs/training/gravac.yaml",
                "configs/training/gpt-kjv-rate.yaml",
                "configs/experiments/oscar-hw.yaml",
                "configs/experiments/demo.yaml",
                "configs/experiments/co-design.yaml",
            )
        ]
        for methods in (common, *files):
            names = [method if isinstance(method, str) else method.get("name", method["kind"]) for method in methods]
            looks = style.of(style.highlighted(names))
            for part in (lambda look: look.colour, lambda look: look.marker, lambda look: style.HATCHES[look.marker]):
                self.assertEqual(len(set(map(part, looks.values()))), len(looks), looks)

    def test_reference_lines_are_named_where_they_end(self):
        from matplotlib import pyplot
        from oscar_plot import style

        panel = pyplot.subplots()[1]
        style.reference(panel, 3, "bound", vertical=True)
        style.reference(panel, 5, "target", begin=True)
        self.assertEqual([line.get_linestyle() for line in panel.lines], [":", ":"])
        self.assertEqual(
            [(text.get_text(), text.xy) for text in panel.texts], [("bound", (3, 1.0)), ("target", (0.0, 5))]
        )


if __name__ == "__main__":
    unittest.main()
