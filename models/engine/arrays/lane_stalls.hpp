// The slots of a block in which a lane's packer holds its coder up (symbol_packer.sv).
#pragma once

#include <cstdint>
#include <vector>

#include "models/engine/arrays/array_model.hpp"

namespace oscar {

/// An emission of more than 16 bits.
struct LaneStall {
    std::uint32_t sub_stream = 0;
    std::uint32_t round = 0;    ///< of the symbol; for the end of the sub-stream the round behind its last symbol
    std::uint32_t cycles = 0;   ///< packer_stalls()
};

/// Those of a coded block, found by its symbols and tables; few blocks have any.
std::vector<LaneStall> stalls_of(const ArrayBlock& block);

}   // namespace oscar
