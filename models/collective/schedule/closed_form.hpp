// The closed form of a compressed collective: the time that the dependencies and the cost of each step imply, with no
// events, queues or credits. Source: validation of ring AllReduce, alpha-beta model (Patarasuk & Yuan 2009).
#pragma once

#include <optional>

#include "models/collective/schedule/params.hpp"
#include "models/collective/schedule/schedule.hpp"
#include "models/core/shared_entries.hpp"
#include "models/core/units.hpp"

namespace oscar {

/// The cost of one step without contention.
struct StepCost {
    Time lead;    ///< from its issue to its first bit on the wire: DMA, first block encoded, NIC
    Time wire;    ///< from first to last bit: all packets with headers, or longer if the encoder feeds them slower
    Time path;    ///< from a bit leaving the sender to its arrival: links, switch
    Time tail;    ///< from its last bit's arrival until what depends on it may start: NIC, last block decoded or added
    Time after;   ///< from then until a complete sum is decoded and in GPU memory; 0 where the sum is not complete
    Time total() const { return lead + wire + path + tail; }
};

/// Lock-step: sum over timesteps of the dearest step. Dependency-driven:
///   done(step) = max(done of its predecessors, own link free) + cost, with lead hidden by the link's last message.
/// The end is the last `after`. With one message per rank and timestep, and none to another rank or in another channel
/// while the one before is still leaving; nullopt otherwise (several messages share a link, which is not a closed
/// form).
std::optional<Time> closed_form(const Schedule& schedule, const SharedEntries<StepCost>& costs, Issue issue);

}   // namespace oscar
