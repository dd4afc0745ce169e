// Packets of a transport on their way.
#pragma once

#include <cstdint>
#include <vector>

#include "models/core/units.hpp"
#include "models/network/transport/protocol.hpp"

namespace oscar {

enum class FrameKind : std::uint8_t { data, answer, notification };

/// A packet of one flow: data, or a header that answers it.
struct Frame {
    FrameKind kind = FrameKind::data;
    std::uint32_t flow = 0;
    Bytes wire;
    std::uint64_t number = 0;   ///< of data
    bool again = false;         ///< data that was sent before
    Answer answer = {};
    bool marked = false;
    std::uint64_t order = 0;   ///< among packets that begin to wait at the same instant
};

/// Gives each frame a tag from its launch until it has come or is lost. Tags are used again.
class FrameTable {
public:
    std::uint64_t add(const Frame& frame) {
        if (free_.empty()) {
            free_.push_back(frames_.size());
            frames_.emplace_back();
        }
        const std::uint64_t tag = free_.back();
        free_.pop_back();
        frames_[tag] = frame;
        return tag;
    }
    Frame retire(std::uint64_t tag) {
        free_.push_back(tag);
        return frames_[tag];
    }
    Frame& operator[](std::uint64_t tag) { return frames_[tag]; }
    const Frame& operator[](std::uint64_t tag) const { return frames_[tag]; }

private:
    std::vector<Frame> frames_;         ///< by tag
    std::vector<std::uint64_t> free_;   ///< tags
};

}   // namespace oscar
