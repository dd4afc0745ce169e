// Delivery: a packet as its receiver gets it. A receiver knows nothing else of its sender.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "models/codec/interface/codec.hpp"
#include "models/network/link/packet.hpp"
#include "models/nic/wire/message_shape.hpp"
#include "models/timing/event_run.hpp"

namespace oscar {

/// The immutable bytes of a message, shared by all who hold them, and the blocks in these bytes, which are parsed once.
/// A message of payload size_only or synthetic has a size but no bytes.
struct SharedMessage {
    std::shared_ptr<const Encoded> bytes;
    std::shared_ptr<const MessageShape> shape;
};

/// One packet, or a run of packets one after the other, with the payload of all of them.
struct Delivery {
    Rank from;
    StepId step;
    PacketKind kind = PacketKind::message;
    std::uint32_t sequence = 0;             ///< of the last packet: 0, 1, … within the message
    std::uint32_t packets = 1;              ///< of the run
    bool last = false;                      ///< it ends its message
    std::span<const std::byte> bytes;       ///< none of a message that shows none
    std::uint64_t size = 0;                 ///< of the payload
    const SharedMessage* whole = nullptr;   ///< of which the bytes are an unaltered part; null: they are none
    TimedEvent arrival;                     ///< of the last packet at the end of the receive pipeline
    const EventRuns* arrivals = nullptr;    ///< of all packets of the message, where they are known beforehand

    /// The number of the run's first packet within the message.
    std::uint32_t first() const { return sequence + 1 - packets; }
};

}   // namespace oscar
