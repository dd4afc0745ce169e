// Reassembly of a message from its packets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "models/nic/wire/delivery.hpp"

namespace oscar {

/// Takes deliveries in order. As long as each of them is an unaltered part of a shared message, nothing is copied. From
/// the first altered one on, a copy of the received bytes is kept.
class Assembly {
public:
    /// Appends the delivery that follows the last one in the message.
    void add(const Delivery& delivery);

    std::uint64_t received() const { return received_; }   ///< bytes
    /// The number of packets that have been added.
    std::uint32_t packets() const { return packets_; }
    /// True once any delivery was not an unaltered part of the shared message.
    bool altered() const { return altered_; }
    /// The bytes that came, if they are altered; else empty.
    std::span<const std::byte> bytes() const { return bytes_; }
    /// The message that has come: the shared one, or one made of the altered bytes, whose blocks nobody has found yet.
    std::shared_ptr<const Encoded> take();
    /// Prepares for another message, and keeps the memory.
    void clear();

private:
    std::uint64_t received_ = 0;
    std::uint32_t packets_ = 0;
    bool altered_ = false;
    std::shared_ptr<const Encoded> shared_;
    std::vector<std::byte> bytes_;
};

}   // namespace oscar
