#include "models/engine/arrays/lane_stalls.hpp"

#include "models/codec/entropy/arithmetic_coder.hpp"

namespace oscar {
namespace {

/// The two bits that end a stream, and the underflow that is left.
std::uint32_t finishing_bits(const CodingInterval& interval) { return 2 + interval.held(); }

}   // namespace

std::vector<LaneStall> stalls_of(const ArrayBlock& block) {
    std::vector<RowBounds> bounds;
    for (const Table& table : block.tables) bounds.emplace_back(table.cumulative);
    std::vector<LaneStall> stalls;
    const std::uint32_t m = block.sub_streams;
    for (std::uint32_t s = 0; s < m; ++s) {
        CodingInterval interval;
        std::uint32_t round = 0;
        const auto note = [&](std::uint32_t bits) {
            if (const std::uint32_t cycles = packer_stalls(bits)) stalls.push_back({s, round, cycles});
        };
        for (std::size_t i = s; i < block.symbols.size(); i += m, ++round) {
            const std::size_t c = block.classes.empty() ? 0 : block.classes[i];
            const std::uint32_t row = block.tables[c].locate(block.symbols[i]).row;
            note(interval.narrow(bounds[c].below(row), bounds[c].above(row)).bits());
        }
        note(finishing_bits(interval));
    }
    return stalls;
}

}   // namespace oscar
