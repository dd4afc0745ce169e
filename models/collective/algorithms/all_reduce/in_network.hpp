// AllReduce in the network: switches add.
#pragma once

#include <span>

#include "models/collective/schedule/params.hpp"
#include "models/collective/schedule/schedule.hpp"

namespace oscar {

/// Switches wait for chunks, not for timesteps, so that a step is by default issued by its dependencies; and what is
/// not cut is not pipelined.
struct InNetworkParams : CollectiveParams {
    InNetworkParams() : CollectiveParams{Issue::dependency, 64} {}
    static constexpr Operation operation = Operation::all_reduce;
    static constexpr auto fields() {
        using P = InNetworkParams;
        return Entries{
            field("issue", &P::issue, "condition under which a step may start"),
            field("slices", &P::slices, "number of chunks, which follow each other through the switches", 1u, 65'535u),
        };
    }
};

/// The chunks go up a tree whose leaves are the ranks and whose inner nodes are aggregators: each adds what its
/// children send, and sends the sum to its parent. The root sends the whole sum back to its children, and each
/// aggregator to its own. `slices` chunks, 2 (ranks + aggregators - 1) slices steps; a rank sends its gradient once and
/// gets the sum once. A participant sends its part in the timestep of its height above the lowest leaf below it, so
/// that all chunks of a link share a timestep. Source: Graham et al. (SHARP), COM-HPC 2016.
/// `parents`: of each participant, the ranks first; the root is the first aggregator and its own parent, and no
/// aggregator is the parent of an earlier one. Precondition: each aggregator has a child.
Schedule make_schedule(const InNetworkParams& params, std::uint32_t ranks, std::span<const Rank> parents);
/// The schedule on one switch, at which all ranks are.
Schedule make_schedule(const InNetworkParams& params, std::uint32_t ranks);

}   // namespace oscar
