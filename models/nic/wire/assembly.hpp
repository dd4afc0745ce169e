// Reassembly of a message from its packets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "models/nic/wire/delivery.hpp"

namespace oscar::inline nic {

/// Takes deliveries in order. As long as each of them is an unaltered part of a shared message, nothing is copied. From
/// the first altered one on, a copy of the received bytes is kept.
class Assembly {
public:
    void add(const Delivery& delivery);

    std::uint64_t received() const { return received_; }   ///< bytes
    std::uint32_t packets() const { return packets_; }
    bool altered() const { return altered_; }
    /// Those that came, if they are altered.
    std::span<const std::byte> bytes() const { return bytes_; }
    /// What has come: the shared message, or one of the bytes that came, whose blocks nobody has found yet.
    std::shared_ptr<const Encoded> take();
    void clear();

private:
    std::uint64_t received_ = 0;
    std::uint32_t packets_ = 0;
    bool altered_ = false;
    std::shared_ptr<const Encoded> shared_;
    std::vector<std::byte> bytes_;
};

}   // namespace oscar::inline nic
