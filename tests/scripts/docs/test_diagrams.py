"""The figures of the model: nothing is drawn through words, and words do not lie upon each other."""

import importlib.util
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "python"))
HAS_MATPLOTLIB = importlib.util.find_spec("matplotlib") is not None
if HAS_MATPLOTLIB:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.patches import FancyArrowPatch
    from matplotlib.path import Path as Outline
    from matplotlib.transforms import Bbox
    from oscar_diagrams.parts import PARTS
    from oscar_diagrams.sheet import Sheet


def words_of(sheet):
    """(text, box in pixels, a little smaller than what is drawn) of all texts."""
    renderer = FigureCanvasAgg(sheet.figure).get_renderer()
    texts = [text for text in sheet.axes.texts if text.get_text()]
    return [(text.get_text(), text.get_window_extent(renderer).padded(-2)) for text in texts]


def strokes_of(sheet):
    """Outlines in pixels of lines and arrows."""
    lines = [line.get_transform().transform_path(line.get_path()) for line in sheet.axes.lines]
    ends = [arrow._posA_posB for arrow in sheet.axes.patches if isinstance(arrow, FancyArrowPatch)]  # noqa: SLF001
    return lines + [sheet.axes.transData.transform_path(Outline(pair)) for pair in ends]


def collisions(sheet):
    """What lies upon words, as texts."""
    words = words_of(sheet)
    found = [
        f"a line through {text!r}"
        for text, box in words
        for stroke in strokes_of(sheet)
        if stroke.intersects_bbox(box, filled=False)
    ]
    return found + [
        f"{one!r} upon {other!r}"
        for number, (one, box) in enumerate(words)
        for other, second in words[number + 1 :]
        if Bbox.intersection(box, second)
    ]


@unittest.skipUnless(HAS_MATPLOTLIB, "python3-matplotlib is missing")
class Figures(unittest.TestCase):
    def test_a_line_through_words_and_words_upon_words_are_found(self):
        sheet = Sheet(8, 4)
        sheet.text(4, 2, "words")
        sheet.line((1, 3), (7, 3))
        self.assertEqual(collisions(sheet), [])
        sheet.arrow((1, 1), (7, 3))
        sheet.text(4.2, 2, "more")
        self.assertEqual(collisions(sheet), ["a line through 'words'", "a line through 'more'", "'words' upon 'more'"])

    def test_of_the_documentation_have_none(self):
        for name, draw in PARTS.items():
            with self.subTest(name):
                self.assertEqual(collisions(draw()), [])


if __name__ == "__main__":
    unittest.main()
