// AllReduce on two rings in opposite directions.
#pragma once

#include "models/collective/schedule/params.hpp"
#include "models/collective/schedule/schedule.hpp"

namespace oscar {

struct BidirectionalRingParams : ChannelledParams {
    static constexpr Operation operation = Operation::all_reduce;
    static constexpr auto fields() { return fields_of<BidirectionalRingParams>(); }
};

/// Ring AllReduce of one half of the chunks upwards, and at the same time of the other half downwards: 2 ranks slices
/// chunks, in each slice first the ones that go up, 2 (ranks-1) timesteps. With a cable of its own to each neighbour a
/// rank has twice the bandwidth of a ring; on one link the two share it. Precondition: ranks >= 2.
Schedule make_schedule(const BidirectionalRingParams& params, std::uint32_t ranks);

}   // namespace oscar
