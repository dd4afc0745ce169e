// Packets of a transport on their way.
#pragma once

#include <cstdint>

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

}   // namespace oscar
