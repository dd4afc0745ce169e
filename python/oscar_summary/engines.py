"""Engines that a technology supports: lanes of a coder at the clock that its slowest part reaches, derated."""

from dataclasses import dataclass
from math import floor

LAYOUTS = {"asc": "magnitude", "atalanta": "ranges"}
OTHERS = ("table_registers", "symbol_counts", "table_unit", "integer_adder")  # of every coder, in each variant
OF_STREAMS = ("block_packer", "block_unpacker")  # of every coder, with as many streams as its lanes
UNCODED = "uncoded"
LANES_OF_A_PACKER = 16  # those of the arrays that were synthesised


@dataclass(frozen=True)
class Engine:
    """So many lanes of a coder with so many streams each; `blocks` of a message."""

    coder: str
    streams: int
    lanes: int
    blocks: int
    clock_mhz: int

    @property
    def words(self):
        if self.coder == UNCODED:
            return f"{UNCODED}, {self.lanes} lanes"
        streams = f"{self.streams} stream{'s' * (self.streams > 1)}"
        blocks = f"{self.blocks} block{'s' * (self.blocks > 1)}"
        return f"{self.coder}, {streams}, {self.lanes} lanes, {blocks}"

    @property
    def parameters(self):
        """Keys of `engine`; cycles are those of models/engine/rtl/README.md, whose decoder has five wire stages."""
        coded = self.coder != UNCODED
        loop = self.streams if coded else 1
        return {
            "lanes": self.lanes,
            "streams": self.streams,
            "blocks": self.blocks,
            "clock": f"{self.clock_mhz}MHz",
            "encode_loop": loop,
            "decode_loop": loop,
            "finish_slots": int(coded),
            "packers": max(1, self.lanes // LANES_OF_A_PACKER),
            "encode_latency": 12,
            "decode_latency": 18,
        }


def units_of(technology, coder, streams):
    """The units that clock with lanes of a coder; none if the technology has no such lane."""
    units = technology["units"]
    family = "rans" if coder == "rans" else "asc"
    layout = LAYOUTS.get(coder)
    lanes = [
        unit
        for unit in units
        if unit["unit"] in (f"{family}_encoder_lane", f"{family}_decoder_lane")
        and unit.get("streams") == streams
        and unit.get("layout") == layout
    ]
    if len(lanes) != 2:
        return []
    names = (*OTHERS, "rans_word_distributor") if coder == "rans" else OTHERS
    packets = [unit for unit in units if unit["unit"] in OF_STREAMS and unit.get("streams") == streams]
    return lanes + packets + [unit for unit in units if unit["unit"] in names]


def clock_mhz(technology, units):
    """Of the slowest of them, derated, rounded down to MHz."""
    slowest = max(float(unit["period"].removesuffix("ps")) for unit in units if "period" in unit)
    return floor(1e6 / (slowest * technology["derating"]["clock"]["factor"]))


def supported(technology, coders, lanes, blocks):
    """All engines of these coders, {name: streams to try}, that the technology has lanes for."""
    found = []
    for coder, streams in coders.items():
        for k in streams:
            units = units_of(technology, coder, k)
            if units:
                clock = clock_mhz(technology, units)
                found += [Engine(coder, k, n, b, clock) for n in lanes for b in blocks]
    adders = [unit for unit in technology["units"] if unit["unit"] == "integer_adder"]
    return found + [Engine(UNCODED, 1, n, 1, clock_mhz(technology, adders)) for n in lanes if adders]
