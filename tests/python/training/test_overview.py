"""python/oscar_training.overview: the figure of all methods of all trainings."""

import re
import tempfile
import unittest
from pathlib import Path

from oscar_summary import records as csv
from oscar_training import summary
from support import made

try:
    from oscar_training import overview
except ImportError as error:
    raise unittest.SkipTest(f"no Python module {error.name}") from None

STEP = {"forward": "1ms", "backward": "2ms", "optimiser": "500us"}


class Overview(unittest.TestCase):
    def settings(self):
        return made(machine={"step": STEP, "network": {"link": {"bandwidth": "25.6Gbps"}}}, name="lenet-fmnist")

    def test_the_bound_is_a_step_without_exchanges(self):
        self.assertAlmostEqual(overview.bound(self.settings(), {"seconds": 14e-3, "steps": 2}), 7e-3 / 3.5e-3)
        self.assertIsNone(overview.bound(made(), {"seconds": 1, "steps": 1}))
        self.assertIsNone(overview.bound(self.settings(), None))

    def test_a_panel_names_dense_and_the_quickest_methods(self):
        columns = summary.COLUMNS["methods"].split()
        some = {"training": "lenet-fmnist", "steps": 10, "seconds": 1.0, "x_mib": 2.0}
        rows = [{**dict.fromkeys(columns), **some, "method": f"m{i}", "x_equal": 1 + i} for i in range(10)]
        rows += [{**dict.fromkeys(columns), **some, "method": "dense", "x_equal": 1, "x_mib": 1}]
        rows += [{**dict.fromkeys(columns), **some, "method": "never", "x_equal": None}]
        with tempfile.TemporaryDirectory() as folder:
            csv.write(Path(folder) / "methods.csv", "of a test", rows, columns)
            overview.draw([self.settings(), made(name="gpt-kjv")], Path(folder))
            texts = set(re.findall("<!-- (.*?) -->", (Path(folder) / "overview.svg").read_text(encoding="utf-8")))
            self.assertTrue((Path(folder) / "overview.png").is_file())
        named = {f"m{i}" for i in range(2, 10)} | {"dense", "lenet-fmnist: 2 ranks, links of 25.6 Gbit/s"}
        self.assertEqual(named - texts, set())
        self.assertEqual({"m0", "m1", "never"} & texts, set())

    def test_nothing_is_drawn_of_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            csv.write(Path(folder) / "methods.csv", "of a test", [], ["training", "method", "x_equal", "x_mib"])
            overview.draw([self.settings()], Path(folder))
            self.assertEqual([path.name for path in Path(folder).iterdir()], ["methods.csv"])


if __name__ == "__main__":
    unittest.main()
