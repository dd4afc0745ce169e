#include "models/nic/assembly.hpp"

#include <algorithm>

namespace oscar {

void Assembly::add(const Encoded& message, const Packet& packet) {
    const bool own_bytes = packet.payload.data() != message.bytes.data() + packet.offset;
    if (own_bytes && !altered_) {
        altered_ = true;
        const auto before = std::span(message.bytes).first(received_);
        bytes_.assign(before.begin(), before.end());
    }
    if (altered_) bytes_.insert(bytes_.end(), packet.payload.begin(), packet.payload.end());
    received_ += packet.payload.size();
    ++packets_;
}

void Assembly::clear() {
    received_ = 0;
    packets_ = 0;
    altered_ = false;
    bytes_.clear();
}

}   // namespace oscar
