"""scripts/design_space: engines at clocks that a technology supports, and means over windows."""

import unittest

from tests.scripts.loading import script

design_space = script("design_space")
from oscar_summary import engines  # noqa: E402


def technology(**periods):
    """Lanes of asc with 1 and 4 streams, of rans with 4, and what goes with them; `periods` in ps by unit."""
    of = {"table_registers": 100, "symbol_counts": 100, "table_unit": 100, "integer_adder": 100} | periods
    lanes = [
        {"unit": f"{family}_{end}_lane", "streams": streams, "period": f"{of.get(f'{family}_{end}_lane', 500)}ps"}
        | ({"layout": "magnitude"} if family == "asc" else {})
        for family, streams in (("asc", 1), ("asc", 4), ("rans", 4))
        for end in ("encoder", "decoder")
    ]
    others = [{"unit": unit, "period": f"{period}ps"} for unit, period in of.items() if not unit.endswith("lane")]
    others += [{"unit": "block_packer", "streams": streams, "period": f"{100 * streams}ps"} for streams in (1, 2, 4, 8)]
    return {"units": lanes + others, "derating": {"clock": {"factor": 2.0}}}


class Engines(unittest.TestCase):
    def clock(self, coder, streams, **periods):
        known = technology(**periods)
        return engines.clock_mhz(known, engines.units_of(known, coder, streams))

    def test_the_clock_is_that_of_the_slowest_part_derated_and_rounded_down(self):
        self.assertEqual(self.clock("asc", 4, asc_decoder_lane=800), 625)
        self.assertEqual(self.clock("asc", 4, asc_encoder_lane=801), 624)
        self.assertEqual(self.clock("asc", 4, integer_adder=1000), 500)
        self.assertEqual(self.clock("asc", 4, rans_decoder_lane=1000), 1000, "it has no lane of rans")

    def test_a_packer_has_as_many_streams_as_the_lanes(self):
        fast = {"asc_encoder_lane": 50, "asc_decoder_lane": 50}
        self.assertEqual(self.clock("asc", 1, **fast), 5000)
        self.assertEqual(self.clock("asc", 4, **fast), 1250)

    def test_words_of_a_stream_slow_rans_alone(self):
        self.assertEqual(self.clock("rans", 4, rans_word_distributor=2000), 250)
        self.assertEqual(self.clock("asc", 4, rans_word_distributor=2000), 1000)

    def test_only_lanes_that_the_technology_has_are_built(self):
        found = engines.supported(technology(), {"asc": (1, 2, 4), "atalanta": (1,), "rans": (1, 4)}, (8, 16), (1,))
        self.assertEqual(
            sorted({(engine.coder, engine.streams) for engine in found}),
            [("asc", 1), ("asc", 4), ("rans", 4), ("uncoded", 1)],
        )
        self.assertEqual(len(found), 8)
        self.assertEqual(len({engine.words for engine in found}), 8)

    def test_a_recurrence_takes_as_many_cycles_as_there_are_streams(self):
        parameters = engines.Engine("asc", 4, 8, 1, 500).parameters
        self.assertEqual((parameters["encode_loop"], parameters["finish_slots"]), (4, 1))
        self.assertEqual((parameters["encode_latency"], parameters["decode_latency"]), (12, 18))
        self.assertEqual(parameters["packers"], 1)
        self.assertEqual(engines.Engine("asc", 1, 256, 1, 500).parameters["packers"], 16)
        plain = engines.Engine(engines.UNCODED, 1, 8, 1, 500).parameters
        self.assertEqual((plain["encode_latency"], plain["decode_latency"], plain["finish_slots"]), (12, 18, 0))


class Means(unittest.TestCase):
    def test_speed_ups_are_over_the_largest_engine_without_a_coder(self):
        found = engines.supported(technology(), {"asc": (4,)}, (8, 16), (1,))
        times = {("uncoded, 8 lanes", "fp32"): 80, ("uncoded, 16 lanes", "fp32"): 40, ("uncoded, 8 lanes", "bf16"): 7}
        times |= {("uncoded, 16 lanes", "fixed_point"): 20, ("asc, 4 streams, 8 lanes, 1 block", "asc"): 10}
        rows = [
            {
                "network.link.bandwidth": "200Gbps",
                "experiment": experiment,
                "method": method,
                "trace": trace,
                "allreduce_ps": time * factor,
                **dict.fromkeys(design_space.MEANS, factor),
                **dict.fromkeys(design_space.causes.COLUMNS, 0),
                "critical_path.dma_ps": time * factor,
            }
            for (experiment, method), time in times.items()
            for trace, factor in (("a", 1), ("b", 4))
        ]
        rows[0]["energy_total_pj"] = None
        made = {(row["lanes"], row["method"]): row for row in design_space.summed_up(rows, "round", found)}
        asc = made[8, "asc"]
        self.assertEqual((asc["over_fp32"], asc["over_fixed_point"]), (4, 2))
        self.assertAlmostEqual(asc["allreduce_us"], 20e-6)
        self.assertEqual(asc["engine_area_um2"], 2.5)
        self.assertEqual(asc["limiter"], "the DMA, 100 %")
        self.assertIsNone(made[8, "fp32"]["energy_total_pj"])


if __name__ == "__main__":
    unittest.main()
