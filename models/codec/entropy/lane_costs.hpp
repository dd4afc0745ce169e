// Cost in bits of the symbols of each lane of a block, without coding them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/codec/bits/instruction_set.hpp"
#include "models/codec/interface/codec.hpp"
#include "models/codec/table/row_bits.hpp"

namespace oscar {

/// The summed cost of all symbols of a lane.
struct LaneCost {
    std::uint64_t row_bits = 0;      ///< in 2^-20 bit
    std::uint64_t offset_bits = 0;   ///< in bits
};

/// Per lane; symbol j is of lane j mod lanes. `bits`: the cost of each row, by table. Symbols are legal for `width`.
std::vector<LaneCost> lane_costs(std::span<const Symbol> symbols, std::uint32_t width, std::uint32_t lanes,
                                 const Tables& tables, std::span<const RowBits> bits);
/// The same with the loops for one instruction set. Precondition: the host has it.
std::vector<LaneCost> lane_costs(std::span<const Symbol> symbols, std::uint32_t width, std::uint32_t lanes,
                                 const Tables& tables, std::span<const RowBits> bits, InstructionSet form);

/// The number of symbols, out of `values` of all lanes, that lane `lane` has.
inline std::uint64_t values_of_lane(std::uint64_t values, std::uint64_t lanes, std::uint64_t lane) {
    return (values + lanes - 1 - lane) / lanes;
}

}   // namespace oscar
