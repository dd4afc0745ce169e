// Area of an engine and energy of an AllReduce: pure functions of a technology and of what a machine has done. Source
// of the formulas: docs/cost.md.
#pragma once

#include <cstdint>
#include <optional>

#include "models/engine/engine_memory_traffic.hpp"
#include "models/engine/engine_parts.hpp"

namespace oscar {

/// SRAM of the engine of one NIC.
struct EngineSram {
    Bytes tables, masks;   ///< engine.table_sram and engine.mask_sram, where the method uses them
    Bytes buffers;         ///< of the encoder's output and the decoder's input
    /// Of the engine that one of an experiment with `scale` stands for: masks and buffers grow with the gradient and
    /// the lanes, tables do not.
    Bytes total(std::uint32_t scale = 1) const { return {tables.count + scale * (masks.count + buffers.count)}; }
};

/// Tables where both ends keep any, masks where classes are read, and for a coder two blocks of the largest encoded
/// size at the encoder's output and two at the decoder's input: one is filled while the other is emptied. `width`: bits
/// of the widest sum.
EngineSram engine_sram(const EngineParams& engine, const Codec& codec, const EngineMemoryTraffic& traffic,
                       std::uint32_t width);

/// Cells with their derating, `scale` times, and SRAM without.
Area engine_area(const Technology& technology, const PricedEngine& engine, Bytes sram, std::uint32_t scale = 1);

/// The power that cells, `scale` times, and SRAM always take.
Power engine_leakage(const Technology& technology, const PricedEngine& engine, Bytes sram, std::uint32_t scale = 1);

/// The work of one engine in an AllReduce.
struct EngineWork {
    double encoder_cycles = 0, decoder_cycles = 0;   ///< in which the array is occupied
    double table_cycles = 0;                         ///< in which tables are made between two AllReduces
    double added_values = 0;
};

/// Dynamic energy of the engine's coders.
struct CoderEnergy {
    Energy total;
    Energy replayed;   ///< of the parts whose energy_basis is replayed
};

/// An occupied array clocks all of its lanes.
CoderEnergy coder_energy(const Technology& technology, const PricedEngine& engine, const EngineWork& work);

/// Dynamic energy of its adders; none if the technology has no figure for them.
std::optional<Energy> adder_energy(const Technology& technology, const PricedEngine& engine, const EngineWork& work);

/// The energy that `power` is in `time`.
Energy energy_in(Power power, Time time);

/// The energy of `bytes` bytes at `of_a_bit` each bit.
Energy energy_of(double bytes, EnergyPerBit of_a_bit);

/// The clock that the derated period of a unit allows, rounded down to a kilohertz; none if it limits none.
std::optional<Frequency> fastest_clock(const Technology& technology, const UnitCost& unit);

/// The link energy at which what a method spends beside links, `more` than its baseline, is as much as what it saves on
/// them, `saved_link_bits`: 0 if it spends no more; none if it saves no bits.
std::optional<EnergyPerBit> break_even_link_energy(Energy more, double saved_link_bits);

}   // namespace oscar
