// When the lanes of a decoder array take words of their streams (stream_reader.sv).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/engine/arrays/array_model.hpp"

namespace oscar {

/// A set of lanes, 64 to a word.
using LaneSet = std::vector<std::uint64_t>;

/// The lanes that take a word of a kind of stream in a slot of a coded block.
class WordTakes {
public:
    enum class Kind : std::uint8_t { symbols, offsets };
    WordTakes(const ArrayBlock& block, const ArrayShape& shape, Kind kind);

    std::span<const std::uint64_t> in_slot(std::uint32_t round, std::uint32_t stream) const {
        return std::span(lanes_).subspan((std::size_t{round} * streams_ + stream) * words_, words_);
    }

private:
    std::size_t words_;
    std::uint32_t streams_;
    std::vector<std::uint64_t> lanes_;
};

}   // namespace oscar
