// The messages in which a rank has the values of its chunks.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "models/codec/interface/codec.hpp"
#include "models/collective/schedule/tiers.hpp"

namespace oscar {

/// Per tier and chunk the message that holds the chunk's values as they are now, if one is known; null if none is.
class KnownMessages {
public:
    using Message = std::shared_ptr<const Encoded>;
    KnownMessages() = default;
    KnownMessages(std::size_t chunks, bool two_tiers) {
        by_tier_.front().resize(chunks);
        if (two_tiers) by_tier_.back().resize(chunks);
    }

    const Message& of(ChunkId chunk, Tier tier) const { return by_tier_[static_cast<std::size_t>(tier)][chunk.value]; }
    void note(ChunkId chunk, Tier tier, Message message) {
        by_tier_[static_cast<std::size_t>(tier)][chunk.value] = std::move(message);
    }
    /// The values of a chunk change.
    void forget(ChunkId chunk) {
        for (auto& messages : by_tier_)
            if (!messages.empty()) messages[chunk.value] = nullptr;
    }

private:
    std::array<std::vector<Message>, tier_count> by_tier_;
};

}   // namespace oscar
