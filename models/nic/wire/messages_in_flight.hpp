// Table of the messages in flight through the network.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "models/network/event/fabric.hpp"
#include "models/nic/wire/active_steps.hpp"
#include "models/nic/wire/delivery.hpp"
#include "models/nic/wire/flow_table.hpp"
#include "models/nic/wire/packet_name.hpp"

namespace oscar {

/// The packets of one kind of a step: their bytes, and per packet first the time at which it may leave, then the time
/// at which its last bit left. The network reports each packet by itself, or all of them in runs.
struct PacketTrain {
    SharedMessage message;   ///< no bytes of a refusal
    FabricMessage packets;
    EventRuns eligible;
    std::vector<TimedEvent> by_packet;   ///< eligible until it has left; empty until the network tells of the first
    EventRuns back_to_back;
    std::uint32_t handed_over = 0;   ///< packets that the receiver has, where they keep their order
    /// The time at which the last bit of a packet left. Precondition: the network has reported it.
    TimedEvent departure(std::uint32_t sequence) const {
        return by_packet.empty() ? back_to_back[sequence] : by_packet[sequence];
    }
    void clear() {
        message = {};
        eligible.clear();
        by_packet = {};   // of a message that has ended, nothing is kept for each packet
        back_to_back.clear();
        handed_over = 0;
    }
};

/// A step in flight.
struct StepInFlight {
    const FlowTable::Flow* flow = nullptr;   ///< of the message; none where each packet has its own path
    bool uninterrupted = false;              ///< nothing else can come to the receiver between its packets
    EventRuns arrivals;                      ///< of its packets, where they are known beforehand
    std::uint64_t wire_bytes = 0;            ///< that have left, of all its packets
    std::array<PacketTrain, packet_kinds> trains;

    PacketTrain& operator[](PacketKind kind) { return trains[static_cast<std::size_t>(kind)]; }
    const PacketTrain& operator[](PacketKind kind) const { return trains[static_cast<std::size_t>(kind)]; }
    void clear() {
        flow = nullptr;
        uninterrupted = false;
        arrivals.clear();
        wire_bytes = 0;
        for (PacketTrain& train : trains) train.clear();
    }
};

/// Senders post messages, and the network carries names of packets; an arriving name stands for a Delivery. Nothing is
/// copied: a message lives until its receiver has taken all of it.
class MessagesInFlight {
public:
    /// For a job of `steps` steps, numbered from `base` on, whose packets have up to `packet` bytes of payload.
    MessagesInFlight(std::size_t steps, Bytes packet, std::uint32_t base = 0)
        : base_(base), packet_(packet), shapes_(packet), steps_(steps) {}

    /// The tag of a packet of this job.
    std::uint64_t tag(const PacketName& packet) const { return packet.tag(base_); }

    StepInFlight& operator[](StepId step) { return steps_[step]; }
    /// Precondition: the step is in flight.
    StepInFlight& at(StepId step) { return steps_.at(step); }
    /// Frees the step's messages. Precondition: the step is in flight.
    void erase(StepId step) { steps_.erase(step); }
    /// The number of steps in flight.
    std::size_t size() const { return steps_.size(); }
    /// The most that were in flight at once.
    std::size_t peak() const { return steps_.peak(); }

    /// Posts the bytes of a step, of which packets will follow.
    const PacketTrain& post(StepId step, PacketKind kind, std::shared_ptr<const Encoded> bytes,
                            const PacketFormat& format) {
        PacketTrain& train = steps_[step][kind];
        train.message.shape = shapes_.of(bytes);
        train.message.bytes = std::move(bytes);
        const std::uint64_t size = train.message.bytes->size();
        const std::uint32_t packets = train.message.shape->packets;
        train.packets = {tag({step, kind}), packets, format.wire(packet_),
                         format.wire(Bytes{size - (packets - 1) * packet_.count})};
        return train;
    }
    /// Packets `first` to `last`, but for where they come from and when.
    Delivery delivery(const PacketName& last, std::uint32_t first) const {
        const StepInFlight& message = steps_.at(last.step);
        const PacketTrain& train = message[last.kind];
        Delivery delivery;
        delivery.step = last.step;
        delivery.kind = last.kind;
        delivery.sequence = last.sequence;
        delivery.packets = last.sequence + 1 - first;
        delivery.last = last.sequence + 1 == train.packets.packets;
        if (!train.message.bytes) return delivery;
        const Encoded& whole = *train.message.bytes;
        const std::uint64_t begin = first * packet_.count;
        const std::uint64_t end = delivery.last ? whole.size() : (last.sequence + 1) * packet_.count;
        delivery.size = end - begin;
        if (!whole.values) delivery.bytes = std::span(whole.bytes).subspan(begin, end - begin);
        delivery.whole = &train.message;
        if (!message.arrivals.empty()) delivery.arrivals = &message.arrivals;
        return delivery;
    }

private:
    std::uint32_t base_;
    Bytes packet_;
    MessageShapes shapes_;
    ActiveSteps<StepInFlight> steps_;
};

}   // namespace oscar
