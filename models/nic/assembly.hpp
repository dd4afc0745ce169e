// A message as its packets bring it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/codec/interface/codec.hpp"
#include "models/network/link/packet.hpp"

namespace oscar {

/// Takes packets in order. As long as each of them is a view on the sender's message, nothing is copied: then what has
/// come is what was sent, and the receiver may decode the message itself. From the first packet on that brings other
/// bytes, those that came are kept. Of a message that does not show its bytes, only their number is.
class Assembly {
public:
    /// `message` is the one that the packet says it is a part of.
    void add(const Encoded& message, const Packet& packet);
    /// `packets` more of a message that does not show its bytes, of `bytes` together.
    void add_unseen(std::uint32_t packets, std::uint64_t bytes) {
        received_ += bytes;
        packets_ += packets;
    }

    std::uint64_t received() const { return received_; }   ///< bytes
    std::uint32_t packets() const { return packets_; }
    bool as_sent() const { return !altered_; }
    /// What came, if it is not as it was sent; to be moved from.
    std::vector<std::byte>& bytes() { return bytes_; }
    void clear();

private:
    std::uint64_t received_ = 0;
    std::uint32_t packets_ = 0;
    bool altered_ = false;
    std::vector<std::byte> bytes_;
};

}   // namespace oscar
