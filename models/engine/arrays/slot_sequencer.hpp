// The slots of a block in an array (slot_sequencer.sv): STREAMS of them are a round, in which each sub-stream gets its
// next symbol.
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/engine/arrays/array_model.hpp"

namespace oscar {

class SlotSequencer {
public:
    SlotSequencer() = default;
    /// `finish`: another round follows, in which the last sub-streams end.
    SlotSequencer(const ArrayBlock& block, const ArrayShape& shape, bool finish)
        : lanes_(shape.lanes),
          streams_(shape.streams),
          sub_streams_(block.sub_streams),
          left_(block.header.values),
          previous_(shape.lanes * shape.streams),
          finish_(finish),
          busy_(true) {}

    bool busy() const { return busy_; }
    std::uint32_t stream() const { return stream_; }
    std::uint32_t round() const { return round_; }
    /// Lanes that have a symbol in this slot.
    std::uint32_t count() const { return in_slot(active()); }
    /// Lanes that have a symbol, or end a sub-stream, in this slot.
    std::uint32_t entries() const { return in_slot(std::max(active(), previous_)); }
    /// No later slot has symbols.
    bool last_symbols() const { return left_ <= sub_streams_ && active() <= lanes_ * (stream_ + 1); }
    bool last() const { return ends_round() && (finish_ ? left_ == 0 : left_ <= sub_streams_); }
    /// No later slot has an entry. Precondition: finish.
    bool last_entries() const { return left_ == 0 && previous_ <= lanes_ * (stream_ + 1); }
    void advance() {
        if (!ends_round()) {
            ++stream_;
            return;
        }
        busy_ = !last();
        stream_ = 0;
        ++round_;
        previous_ = active();
        left_ -= previous_;
    }

private:
    bool ends_round() const { return stream_ + 1 == streams_; }
    std::uint32_t active() const { return std::min(left_, sub_streams_); }
    std::uint32_t in_slot(std::uint32_t sub_streams) const {
        const std::uint32_t begin = lanes_ * stream_;
        return sub_streams <= begin ? 0 : std::min(lanes_, sub_streams - begin);
    }

    std::uint32_t lanes_ = 1, streams_ = 1, sub_streams_ = 1;
    std::uint32_t left_ = 0;       // symbols of this round and later ones
    std::uint32_t previous_ = 0;   // sub-streams active in the round before; in the first, all
    std::uint32_t stream_ = 0, round_ = 0;
    bool finish_ = false, busy_ = false;
};

}   // namespace oscar
