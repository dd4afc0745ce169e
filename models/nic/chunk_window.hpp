// The window of chunks that a node may send to the aggregator above it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "models/core/index.hpp"

namespace oscar {

/// An aggregator has a limited number of slots. Each child sends its chunks in the order of their numbers, and only as
/// many as there are slots that it knows to be free. An aggregator therefore never gets a chunk without a slot for it.
class ChunkWindow {
public:
    /// Begins with chunk 0 and `slots` free ones.
    void begin(std::uint32_t slots) {
        free_ = slots;
        next_ = {};
        waiting_.clear();
    }
    /// The message of a chunk is made.
    void offer(ChunkId chunk, StepId step) { waiting_.emplace(chunk, step); }
    /// A slot is free again.
    void free() { ++free_; }
    /// The next step that may be sent, which takes a slot.
    std::optional<StepId> take() {
        const auto next = waiting_.find(next_);
        if (free_ == 0 || next == waiting_.end()) return std::nullopt;
        const StepId step = next->second;
        waiting_.erase(next);
        --free_;
        ++next_.value;
        return step;
    }

private:
    std::uint32_t free_ = 0;
    ChunkId next_;
    std::map<ChunkId, StepId> waiting_;
};

}   // namespace oscar
