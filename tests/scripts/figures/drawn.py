"""What tests of figures share: what is drawn in a panel, and records of runs to draw."""

import importlib.util
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "python"))
MISSING = [name for name in ("matplotlib", "seaborn", "pandas") if importlib.util.find_spec(name) is None]


def texts(panel):
    """What is written in a panel beside its axes."""
    return [text.get_text() for text in panel.texts]


def coloured(panel):
    """The colours of lines with data that are not those of reference lines, without grey."""
    from oscar_plot import style

    colours = {line.get_color() for line in panel.lines if line.get_linestyle() != ":" and len(line.get_xdata()) > 2}
    return colours - {style.GREY, style.TEXT}


def look(line):
    """Colour, marker and width."""
    return line.get_color(), line.get_marker(), line.get_linewidth()


def record(name, qualities, seed=1):
    """The record of a training with an evaluation of each quality, every ten steps."""
    rows = [
        {"step": 10 * (i + 1), "seconds": i + 1 + seed / 10, "payload_bytes": 2**20 * (i + 1), "quality": quality}
        for i, quality in enumerate(qualities)
    ]
    return {"method": name, "seed": seed, "metric": "test accuracy (of all)", "rows": rows}


def traffic(columns, pattern, rounds, vcs=4):
    """The report of a mesh of four rows; its last load is beyond saturation."""
    return {
        "config": {
            "topology": {"kind": "mesh", "rows": 4, "columns": columns},
            "traffic": {"pattern": {"kind": pattern}},
            "router": {"vcs": vcs, "vc_flits": 1, "sw_alloc_iterations": rounds, "input_speedup": 1},
        },
        "bounds": {"throughput": 4 / 9},
        "points": [{"accepted": load, "mean_latency": 18 + load} for load in (0.1, 0.2, 0.3)]
        + [{"accepted": 0.4, "mean_latency": None}],
    }


@unittest.skipIf(MISSING, f"no Python module {', '.join(MISSING)}")
class Figures(unittest.TestCase):
    """Closes what it has drawn."""

    def tearDown(self):
        from matplotlib import pyplot

        pyplot.close("all")
