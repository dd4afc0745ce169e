// What the ranks hold when a collective has ended, and whether it is what they should.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "models/collective/endpoint/plan.hpp"
#include "models/collective/endpoint/rank_state.hpp"
#include "models/core/parallel.hpp"
#include "sim/replay/codes.hpp"

namespace oscar::inline experiment {

class HeldValues {
public:
    /// `rank_states`: of all participants, behind the last step. The arguments must outlive it.
    HeldValues(const Plan& plan, std::uint32_t ranks, std::span<const RankState> rank_states,
               const IterationCodes& codes);

    /// Of the sum. For integers known with the codes; for floats what the order of additions left. None where nothing
    /// is summed.
    std::optional<Fidelity> fidelity() const;
    /// Whether every participant holds what the collective promises it, where it promises anything, and what that of
    /// the reference holds. Of sums of floats only that all hold the same can be promised.
    bool are_right(std::span<const RankState> reference, const ParallelFor& parallel) const;

private:
    bool of_integers() const { return plan_.number == ElementType::integer; }
    const ChunkLayout& layout() const { return rank_states_.front().layout(); }
    std::vector<Symbol> summed() const;
    bool are_as_promised(Rank rank) const;

    const Plan& plan_;
    std::uint32_t ranks_;
    std::span<const RankState> rank_states_;
    const IterationCodes& codes_;
    std::vector<Symbol> floats_;    ///< the sum of floats
    std::span<const Symbol> sum_;   ///< the whole; empty where nothing is summed
};

}   // namespace oscar::inline experiment
