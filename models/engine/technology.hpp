// A technology: area, clock and energy of the engine's parts in a process, and of a bit that is moved (docs/cost.md).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/codec/kinds/asc.hpp"
#include "models/core/fields.hpp"
#include "models/core/physical.hpp"
#include "models/core/units.hpp"
#include "models/engine/row_search.hpp"

namespace oscar {

/// The parts of an engine that a technology may know, by the names of their modules in models/engine/rtl.
enum class EngineUnit : std::uint8_t {
    asc_encoder_lane,
    asc_decoder_lane,
    rans_encoder_lane,
    rans_decoder_lane,
    rans_word_distributor,
    range_encoder_lane,
    range_decoder_lane,
    symbol_counts,
    table_unit,
    table_registers,
    block_packer,
    block_unpacker,
    encoder_array,
    decoder_array,
    integer_adder,
    value_adder,
};
constexpr auto choices(EngineUnit) {
    using E = EngineUnit;
    return std::array{
        Choice{"asc_encoder_lane", E::asc_encoder_lane, "a lane of the arithmetic encoder of asc, atalanta and aac"},
        Choice{"asc_decoder_lane", E::asc_decoder_lane, "a lane of their decoder"},
        Choice{"rans_encoder_lane", E::rans_encoder_lane, "a lane of the encoder of rans"},
        Choice{"rans_decoder_lane", E::rans_decoder_lane, "a lane of its decoder"},
        Choice{"rans_word_distributor", E::rans_word_distributor, "words of one stream to 64 lanes of rans"},
        Choice{"range_encoder_lane", E::range_encoder_lane, "a lane of a range encoder; no method uses it"},
        Choice{"range_decoder_lane", E::range_decoder_lane, "a lane of its decoder; no method uses it"},
        Choice{"symbol_counts", E::symbol_counts,
               "counters of the rows of 16 lanes, as many in each array as they need"},
        Choice{"table_unit", E::table_unit, "tables made of counts, one in an engine"},
        Choice{"table_registers", E::table_registers, "tables that the lanes of an array read"},
        Choice{"block_packer", E::block_packer, "streams of 16 lanes into packets"},
        Choice{"block_unpacker", E::block_unpacker, "packets into the streams of 16 lanes"},
        Choice{"encoder_array", E::encoder_array, "an array of encoder lanes as a whole; not added to its lanes"},
        Choice{"decoder_array", E::decoder_array, "an array of decoder lanes as a whole; not added to its lanes"},
        Choice{"integer_adder", E::integer_adder, "the adder behind a decoder lane: one integer a cycle"},
        Choice{"value_adder", E::value_adder, "an adder of the reduce unit: one fp32 value a cycle"},
    };
}

/// The activity of the pins for which the energy of a cycle was computed.
enum class EnergyBasis : std::uint8_t { assumed, vectorless, replayed };
constexpr auto choices(EnergyBasis) {
    return std::array{
        Choice{"assumed", EnergyBasis::assumed, "no synthesis: a figure that was chosen"},
        Choice{"vectorless", EnergyBasis::vectorless,
               "each pin changes equally often: no more than an order of magnitude"},
        Choice{"replayed", EnergyBasis::replayed, "a recorded simulation of the unit, replayed on its netlist"},
    };
}

/// The figures of one part. Those that are null fit every engine; of several entries that fit, the one with the most
/// that are not null counts.
struct UnitCost {
    EngineUnit unit = EngineUnit::asc_encoder_lane;
    std::string variant;
    std::optional<RowSearch> search = {};
    std::optional<std::uint32_t> streams = {};
    std::optional<Layout> layout = {};
    std::optional<bool> adaptive = {};
    std::optional<std::uint32_t> classes = {};
    Area area;
    std::optional<Time> period = {};
    Energy energy_per_cycle;
    EnergyBasis energy_basis = EnergyBasis::assumed;
    Power leakage;
    static constexpr auto fields() {
        using U = UnitCost;
        return Entries{
            field("unit", &U::unit, "part of the engine, by the name of its module"),
            field("variant", &U::variant, "name of this choice of parameters, for messages"),
            field("search", &U::search, "row search that it has; null: fits any"),
            field("streams", &U::streams, "interleaved streams that it has; null: fits any", 1u, 16u),
            field("layout", &U::layout, "mapping of values to rows that it has; null: fits any"),
            field("adaptive", &U::adaptive, "whether it adapts its table inside a block; null: fits either"),
            field("classes", &U::classes, "classes whose tables it holds at once; null: fits any", 1u, 4096u),
            field("area", &U::area, "cell area, not derated"),
            field("period", &U::period, "shortest period of its clock, not derated; null: limits none", Time{1},
                  Time{1000000}),
            field("energy_per_cycle", &U::energy_per_cycle, "dynamic energy of a cycle in which it works, not derated"),
            field("energy_basis", &U::energy_basis, "activity of its pins for which energy_per_cycle was computed"),
            field("leakage", &U::leakage, "power that it always takes"),
        };
    }
    friend bool operator==(const UnitCost&, const UnitCost&) = default;
};

struct SramCost {
    Area area_per_bit;
    EnergyPerBit energy_per_bit;
    Power leakage_per_bit;
    static constexpr auto fields() {
        return Entries{
            field("area_per_bit", &SramCost::area_per_bit, "area of a bit with its share of the periphery"),
            field("energy_per_bit", &SramCost::energy_per_bit, "energy of a bit that is read or written"),
            field("leakage_per_bit", &SramCost::leakage_per_bit, "power that a bit always takes"),
        };
    }
    friend bool operator==(const SramCost&, const SramCost&) = default;
};

/// A factor on figures of synthesis, which know no wires, clock tree or slow corner.
struct Derating {
    double factor = 1;
    std::string source = "assumed";
    static constexpr auto fields() {
        return Entries{
            field("factor", &Derating::factor, "the figure of the units is multiplied by it", 0.01, 100.0),
            field("source", &Derating::source, "where the factor is from, or assumed"),
        };
    }
    friend bool operator==(const Derating&, const Derating&) = default;
};

struct Deratings {
    Derating clock, area, energy;
    static constexpr auto fields() {
        return Entries{
            field("clock", &Deratings::clock, "of the periods of units"),
            field("area", &Deratings::area, "of the areas of units, not of SRAM"),
            field("energy", &Deratings::energy, "of the energies a cycle of units"),
        };
    }
    friend bool operator==(const Deratings&, const Deratings&) = default;
};

/// The energy of a bit that is moved.
struct TransferCost {
    EnergyPerBit energy;
    std::string source = "assumed";
    static constexpr auto fields() {
        return Entries{
            field("energy", &TransferCost::energy, "energy of a bit"),
            field("source", &TransferCost::source, "where the figure is from, or assumed"),
        };
    }
    friend bool operator==(const TransferCost&, const TransferCost&) = default;
};

struct Technology {
    std::string name;
    std::uint32_t node_nm = 1;
    std::vector<UnitCost> units;
    SramCost sram;
    Deratings derating;
    TransferCost link, dma, gpu_memory;
    static constexpr auto fields() {
        using T = Technology;
        return Entries{
            field("name", &T::name, "of the library that the figures are from"),
            field("node_nm", &T::node_nm, "process node in nanometres", 1u, 1000u),
            field("units", &T::units, "parts of the engine"),
            field("sram", &T::sram, "memory of the engine"),
            field("derating", &T::derating, "factors on the figures of units"),
            field("link", &T::link, "a bit that crosses a link of the network"),
            field("dma", &T::dma, "a bit that DMA moves between GPU and NIC"),
            field("gpu_memory", &T::gpu_memory, "a bit that DMA reads or writes in GPU memory"),
        };
    }
    friend bool operator==(const Technology&, const Technology&) = default;
};

}   // namespace oscar
