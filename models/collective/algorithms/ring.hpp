// Ring AllReduce.
#pragma once

#include "models/collective/schedule/params.hpp"
#include "models/collective/schedule/schedule.hpp"

namespace oscar {

/// Which way final sums go round.
enum class Gather : std::uint8_t { onward, back };
constexpr auto choices(Gather) {
    return std::array{Choice{"onward", Gather::onward, "as partial sums do: each rank sends to its successor only"},
                      Choice{"back", Gather::back,
                             "towards the ranks that partial sums came from: links are used in both directions"}};
}

struct RingParams : ChannelledParams {
    Gather gather = Gather::onward;
    static constexpr Operation operation = Operation::all_reduce;
    static constexpr auto fields() {
        return std::tuple_cat(
            fields_of<RingParams>(),
            std::tuple{field("gather", &RingParams::gather, "which way the all-gather goes round the ring")});
    }
};

/// Ring AllReduce: reduce-scatter, then all-gather, for each slice on its own. `ranks * slices` chunks (chunk c of
/// slice k has the id k * ranks + c), 2 (ranks-1) ranks slices steps, 2 (ranks-1) timesteps, which the slices share.
/// Reduce-scatter timestep s: rank r sends chunk (r - s) mod ranks to r+1; all-gather: chunk (r + 1 - s) mod ranks
/// likewise, or, if it goes back, rank r sends chunk (r + 1 + s) mod ranks to r-1.
/// Each rank sends 2 (ranks-1) / ranks of its gradient. Source: Patarasuk & Yuan, JPDC 2009, section 3.
/// Precondition: ranks >= 2.
Schedule make_schedule(const RingParams& params, std::uint32_t ranks);

}   // namespace oscar
