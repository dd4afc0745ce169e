"""scripts/engine_kinds: what it draws, and that docs/engine.md says what it found."""

import unittest

from tests.scripts.loading import script

engine_kinds = script("engine_kinds")
ROOT = engine_kinds.ROOT
FILE = ROOT / "results/validation/engine-kinds.csv"


class Experiments(unittest.TestCase):
    def test_are_the_same_for_the_same_seed(self):
        self.assertEqual(engine_kinds.experiment(7), engine_kinds.experiment(7))
        self.assertNotEqual(engine_kinds.experiment(7), engine_kinds.experiment(8))

    def test_cover_lanes_streams_blocks_clocks_and_links(self):
        drawn = [engine_kinds.experiment(seed) for seed in range(200)]
        engines = [one["engine"] for one in drawn]
        self.assertEqual({engine["lanes"] for engine in engines}, {16, 32, 64, 128, 256})
        self.assertEqual({engine["streams"] for engine in engines}, {1, 2, 4})
        self.assertEqual({engine["blocks"] for engine in engines}, set(range(1, 17)))
        clocks = {engine["clock"] for engine in engines}
        self.assertLessEqual({"250MHz", "1000MHz"}, clocks)
        links = {one["network"]["link"]["bandwidth"] for one in drawn}
        self.assertLessEqual({"25Gbps", "800Gbps"}, links)

    def test_send_around_rings_only_what_neighbours_pass_on(self):
        for seed in range(200):
            one = engine_kinds.experiment(seed)
            if one["network"]["topology"]["kind"] == "ring":
                self.assertEqual(one["collective"]["kind"], "ring")


class Summary(unittest.TestCase):
    def test_counts_and_orders_what_is_off(self):
        rows = [{"difference": difference} for difference in (-0.25, -0.125, 0.001)]
        self.assertEqual(
            engine_kinds.summary(rows),
            "3 AllReduces: 12.500% off in the median, from -25.000% to +0.100%; 2 too fast, 1 too slow, "
            "2 by more than 1%",
        )

    def test_of_what_is_recorded_is_what_the_page_says(self):
        rows = engine_kinds.records.read(FILE)[1]
        self.assertGreaterEqual(len(rows), 1000)
        page = " ".join((ROOT / "docs/engine.md").read_text(encoding="utf-8").split())
        off = sorted(row["difference"] for row in rows)
        self.assertIn(f"Of {len(rows):,} AllReduces", page)
        self.assertIn(
            f"{engine_kinds.statistics.median(map(abs, off)):.2%}".replace("%", " %") + " in the median", page
        )
        self.assertIn(f"{-off[0]:.1%} too fast and {off[-1]:.1%} too slow".replace("%", " %"), page)
        self.assertIn(f"{sum(abs(one) > engine_kinds.NEAR for one in off):,} are off by more than 1 %", page)
        for words, streams in (("1 or 2 streams, {} of {:,} are", (1, 2)), ("4 streams, {} of {:,} are", (4,))):
            of = [abs(row["difference"]) > engine_kinds.NEAR for row in rows if row["streams"] in streams]
            self.assertIn(words.format(sum(of), len(of)), page)


if __name__ == "__main__":
    unittest.main()
