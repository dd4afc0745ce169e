// Packets of a message each of which takes a path of its own.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "models/core/time_run.hpp"
#include "models/nic/scheduler.hpp"
#include "models/nic/wire/flow_table.hpp"
#include "models/nic/wire/messages_in_flight.hpp"

namespace oscar {

/// The ends of packets that are sprayed.
struct SprayEnds {
    Rank from, to;
    std::uint32_t channel;
};

/// Hands `count` packets of a train to the network, from `first` on, each by its own path. `eligible`: when each may
/// leave.
inline void spray(Scheduler& scheduler, FlowTable& flows, const SprayEnds& ends, const PacketTrain& train,
                  std::uint32_t first, std::uint32_t count, std::span<const TimeRun> eligible) {
    TimeRunReader leaving(eligible);
    for (std::uint32_t i = first; i < first + count; ++i) {
        const Bytes wire = train.packets.wire_of(i);
        scheduler.fabric().send(flows.of(ends.from, ends.to, ends.channel, i).id,
                                {train.packets.tag + (std::uint64_t{i} << PacketName::sequence_shift), 1, wire, wire},
                                std::array{TimeRun{leaving.front()}}, std::array{0u});
        leaving.skip(1);
    }
}

}   // namespace oscar
