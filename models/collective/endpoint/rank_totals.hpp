// One rank's count of what a bucket's blocks have cost, which it sends in the trailer of each message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "models/codec/interface/codec.hpp"
#include "models/collective/endpoint/block_totals.hpp"
#include "models/collective/endpoint/plan.hpp"
#include "models/collective/endpoint/rank_values.hpp"

namespace oscar {

/// Does nothing, and adds no trailer, unless it counts.
class RankTotals {
public:
    /// `plan` and `codec` outlive it.
    RankTotals(const Plan& plan, const Codec& codec) : plan_(&plan), codec_(&codec) {}

    /// Counts the cost of blocks from the next iteration on.
    void count(BlockUnit unit) { totals_.emplace(unit); }
    /// Begins an iteration: no block of the bucket has cost anything yet.
    void begin(const RankValues& values);
    /// Adds what the symbols of a step's message cost, a final sum's on all of its hops, once.
    void add_costs(StepId step, const RankValues& values, std::span<const Symbol> symbols, const Tables& tables);
    /// The size of the trailer of a step's message; 0 without counting.
    std::uint64_t trailer_bytes(StepId step, const RankValues& values) const;
    /// Appends the trailer to a step's message and notes its size there.
    void append_trailer(StepId step, const RankValues& values, Encoded& message) const;
    /// Takes in the trailer of a step's message.
    void take_in(StepId step, const RankValues& values, const Encoded& message);

    /// The totals of this iteration so far; none without counting.
    const std::optional<BlockTotals>& totals() const { return totals_; }

private:
    std::vector<std::uint32_t> costs_of(StepId step, std::span<const Symbol> symbols, const Tables& tables) const;
    const Step& step_of(StepId step) const { return plan_->schedule.steps[step.value]; }

    const Plan* plan_;
    const Codec* codec_;
    std::optional<BlockTotals> totals_;
    std::vector<bool> counted_;   ///< per chunk: the totals have what this rank's message of it costs
};

}   // namespace oscar
