// The messages in which a rank has the values of its chunks, or sums of them.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "models/codec/interface/codec.hpp"
#include "models/collective/schedule/tiers.hpp"

namespace oscar {

/// Per tier and content (Plan::contents) the message that holds these values as they are now, if one is known; null if
/// none is.
class KnownMessages {
public:
    using Message = std::shared_ptr<const Encoded>;
    KnownMessages() = default;
    KnownMessages(std::size_t contents, bool two_tiers) {
        by_tier_.front().resize(contents);
        if (two_tiers) by_tier_.back().resize(contents);
    }

    const Message& of(std::size_t content, Tier tier) const {
        return by_tier_[static_cast<std::size_t>(tier)][content];
    }
    void note(std::size_t content, Tier tier, Message message) {
        by_tier_[static_cast<std::size_t>(tier)][content] = std::move(message);
    }
    /// These values change.
    void forget(std::size_t content) {
        for (auto& messages : by_tier_)
            if (!messages.empty()) messages[content] = nullptr;
    }

private:
    std::array<std::vector<Message>, tier_count> by_tier_;
};

}   // namespace oscar
