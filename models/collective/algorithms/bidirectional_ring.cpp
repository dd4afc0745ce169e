#include "models/collective/algorithms/bidirectional_ring.hpp"

#include <algorithm>
#include <array>

#include "models/collective/algorithms/ring.hpp"
#include "models/collective/schedule/channels.hpp"
#include "models/collective/schedule/phases.hpp"

namespace oscar {

Schedule make_schedule(const BidirectionalRingParams& params, std::uint32_t ranks) {
    RingParams ring;
    ring.slices = params.slices;
    const RankOrder up = ranks_from(0, 1, ranks);
    RankOrder down = up;
    std::ranges::reverse(down);
    return side_by_side(make_schedule(ring, ranks), ring.slices, std::array{up, down});
}

}   // namespace oscar
