// AllReduce by recursive halving and doubling.
#pragma once

#include "models/collective/schedule/params.hpp"
#include "models/collective/schedule/schedule.hpp"

namespace oscar {

struct HalvingDoublingParams : StaggeredParams {
    static constexpr Operation operation = Operation::all_reduce;
    static constexpr auto fields() { return fields_of<HalvingDoublingParams>(); }
};

/// Recursive halving and doubling among 2^k of the ranks, 2^k <= ranks < 2^(k+1). Before it, each of the e = ranks -
/// 2^k other ranks adds its whole gradient to its neighbour's, and after it gets the sum from there: of the first 2e
/// ranks the odd ones take part. In timestep i of the reduce-scatter participant v exchanges with v xor 2^i half of the
/// chunks that it still has, keeping the chunks c whose bit i is that of v, so that in the end it owns chunk v; the
/// all-gather reverses the exchanges. 2^k slices chunks, 2 k timesteps, and 2 more if e > 0. Each participant sends 2
/// (2^k - 1) / 2^k of its gradient, what it gives back not counted. Source: Rabenseifner, ICCS 2004; Thakur,
/// Rabenseifner & Gropp, IJHPCA 2005, section 4.5. Precondition: ranks >= 2.
Schedule make_schedule(const HalvingDoublingParams& params, std::uint32_t ranks);

}   // namespace oscar
