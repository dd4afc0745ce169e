// AllReduce on rings along the dimensions of a lattice of ranks, one dimension after the other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/collective/schedule/params.hpp"
#include "models/collective/schedule/schedule.hpp"

namespace oscar {

struct RingNdParams : StaggeredParams {
    std::vector<std::uint32_t> dimensions = {};
    static constexpr Operation operation = Operation::all_reduce;
    static constexpr auto fields() {
        return concatenate(
            fields_of<RingNdParams>(),
            Entries{
                field("dimensions", &RingNdParams::dimensions,
                      "sizes of the lattice of ranks, like [4, 4, 4], the last of neighbouring ranks; their product "
                      "is `ranks`; none: one ring")});
    }
};

/// Rank r has the coordinates of r in mixed radix, the last dimension running fastest. Reduce-scatter on rings along
/// the last dimension, then along the one before, ...; all-gather in the reverse order: ranks slices chunks, 2 sum(d-1)
/// timesteps over dimensions of d ranks. Each ring works on what the rings before it have left a rank: a rank sends
/// 2 (n-1)/n of its gradient. Source: Cho et al., BlueConnect, MLSys 2019, section 3.
/// Precondition: ranks >= 2. std::invalid_argument: the product of the dimensions is not the number of ranks.
Schedule make_schedule(const RingNdParams& params, std::uint32_t ranks);

/// The schedule on a lattice. Precondition: the product of the dimensions is `ranks`.
Schedule make_rings(std::span<const std::uint32_t> dimensions, std::uint32_t ranks, std::uint32_t slices);

}   // namespace oscar
