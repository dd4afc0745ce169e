// What the ranks hold when a collective has ended, and whether it is what they should.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "models/collective/endpoint/plan.hpp"
#include "models/collective/endpoint/rank_state.hpp"
#include "models/core/parallel.hpp"
#include "sim/replay/codes.hpp"

namespace oscar {

class HeldValues {
public:
    /// `rank_states`: of all participants, after the last step. The arguments must outlive it.
    HeldValues(const Plan& plan, std::uint32_t ranks, std::span<const RankState> rank_states,
               const IterationCodes& codes);
    HeldValues(const HeldValues&) = delete;   // sum_ may be of its own floats_
    HeldValues& operator=(const HeldValues&) = delete;

    /// The reduced gradient: the sum over the ranks, of codes dequantised. Empty where the operation sums nothing.
    std::vector<float> reduced() const;
    /// Error of the reduced gradient. Integers: as computed with the codes. Floats: from the sum that the ranks hold,
    /// because it depends on the order of additions. None where the operation sums nothing.
    std::optional<Fidelity> fidelity() const;
    /// True if every rank holds the values that the operation promises. The promised sum of floats is the one that the
    /// ranks hold, so that for it only equality between ranks is checked; where they add up in scratch, each in its
    /// order, equality but for rounding.
    bool are_correct(const ParallelFor& parallel) const;

private:
    bool of_integers() const { return plan_.element_type == ElementType::integer; }
    const ChunkLayout& layout() const { return rank_states_.front().values().layout(); }
    std::vector<Symbol> summed() const;
    bool agree_but_for_rounding(std::span<const Symbol> values, Segment segment) const;
    bool meet_postcondition(Rank rank) const;

    const Plan& plan_;
    std::uint32_t ranks_;
    std::span<const RankState> rank_states_;
    const IterationCodes& codes_;
    std::vector<Symbol> floats_;    ///< the sum of floats
    std::span<const Symbol> sum_;   ///< the whole; empty where nothing is summed
};

}   // namespace oscar
