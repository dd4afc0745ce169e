// AllReduce on two rings in opposite directions.
#pragma once

#include <algorithm>
#include <array>

#include "models/collective/algorithms/all_reduce/ring.hpp"
#include "models/collective/schedule/channels.hpp"
#include "models/collective/schedule/params.hpp"
#include "models/collective/schedule/phases.hpp"
#include "models/collective/schedule/schedule.hpp"

namespace oscar {

struct BidirectionalRingParams : StaggeredParams {
    static constexpr Operation operation = Operation::all_reduce;
    static constexpr auto fields() { return fields_of<BidirectionalRingParams>(); }
};

/// Ring AllReduce of one half of the chunks upwards, and at the same time of the other half downwards: 2 ranks slices
/// chunks, in each slice first the ones that go up, 2 (ranks-1) timesteps. With a cable of its own to each neighbour a
/// rank has twice the bandwidth of a ring; on one link the two share it. Precondition: ranks >= 2.
inline Schedule make_schedule(const BidirectionalRingParams& params, std::uint32_t ranks) {
    RingParams ring;
    ring.slices = params.slices;
    const RankOrder up = ranks_from(0, 1, ranks);
    RankOrder down = up;
    std::ranges::reverse(down);
    return side_by_side(make_schedule(ring, ranks), ring.slices, std::array{up, down});
}

}   // namespace oscar
