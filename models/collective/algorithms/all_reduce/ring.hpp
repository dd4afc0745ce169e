// Ring AllReduce.
#pragma once

#include "models/collective/schedule/params.hpp"
#include "models/collective/schedule/schedule.hpp"

namespace oscar {

/// Direction in which final sums go round the ring.
enum class AllGatherDirection : std::uint8_t { forward, reverse };
constexpr auto choices(AllGatherDirection) {
    return std::array{Choice{"forward", AllGatherDirection::forward,
                             "the direction of partial sums: each rank sends to its successor only"},
                      Choice{"reverse", AllGatherDirection::reverse,
                             "against the direction of partial sums: links are used in both directions"}};
}

struct RingParams : StaggeredParams {
    AllGatherDirection all_gather_direction = AllGatherDirection::forward;
    static constexpr Operation operation = Operation::all_reduce;
    static constexpr auto fields() {
        return concatenate(
            fields_of<RingParams>(),
            Entries{field("all_gather_direction", &RingParams::all_gather_direction, "direction of the all-gather")});
    }
};

/// Ring AllReduce: reduce-scatter, then all-gather, for each slice on its own. `ranks * slices` chunks (chunk c of
/// slice k has the id k * ranks + c), 2 * (ranks - 1) * ranks * slices steps, 2 * (ranks - 1) timesteps, which the
/// slices share.
/// Reduce-scatter timestep s: rank r sends chunk (r - s) mod ranks to r+1; all-gather: chunk (r + 1 - s) mod ranks
/// likewise, or, in reverse, rank r sends chunk (r + 1 + s) mod ranks to r-1.
/// Each rank sends 2 * (ranks - 1) / ranks of its gradient. Source: Patarasuk & Yuan, JPDC 2009, section 3.
/// Precondition: ranks >= 2.
Schedule make_schedule(const RingParams& params, std::uint32_t ranks);
/// The part of it that stands for all under the rotation of ranks and of the chunks of a slice by `turn`, a divisor of
/// the ranks (ScheduleBuilder).
Schedule make_part(const RingParams& params, std::uint32_t ranks, std::uint32_t turn);

}   // namespace oscar
