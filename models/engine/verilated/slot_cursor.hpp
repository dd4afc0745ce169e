// The order in which the symbols of a block go through an array of lanes.
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/engine/arrays/array_model.hpp"

namespace oscar {

/// The beats of a block: a symbol for each lane, in rounds of a symbol for each sub-stream (slot_sequencer.sv); beats
/// without symbols do not exist.
class SlotCursor {
public:
    SlotCursor(const ArrayBlock& block, std::uint32_t lanes) : block_(block), lanes_(lanes) {}
    const ArrayBlock& block() const { return block_; }
    bool at_end() const { return first_ >= block_.header.values; }
    /// Symbols first .. end - 1 of the block are in the beat at hand: that of lane l is first + l.
    std::uint32_t first() const { return first_; }
    std::uint32_t end() const { return std::min({first_ + lanes_, round_ + block_.sub_streams, block_.header.values}); }
    void advance() {
        first_ = end();
        if (first_ == round_ + block_.sub_streams) round_ = first_;
    }

private:
    ArrayBlock block_;
    std::uint32_t lanes_, round_ = 0, first_ = 0;
};

}   // namespace oscar
