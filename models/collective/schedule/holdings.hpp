// Contributions that each participant holds of one chunk while a schedule is performed.
#pragma once

#include <vector>

#include <boost/dynamic_bitset.hpp>

#include "models/collective/schedule/schedule.hpp"

namespace oscar {

/// At first each rank holds its own contribution, and an aggregator none. Chunks are followed one after the other, so
/// that memory grows with the square of the ranks and not with their cube.
class Holdings {
public:
    using Set = boost::dynamic_bitset<>;

    explicit Holdings(const Schedule& schedule)
        : ranks_(schedule.ranks), held_(schedule.participants(), Set(schedule.ranks)) {
        for (std::uint32_t r = 0; r < ranks_; ++r) held_[r].set(r);
    }
    /// The contributions that a participant holds of the chunk: a bit per rank.
    const Set& of(Rank rank) const { return held_[rank.value]; }

    /// Performs a step; false if it would add a contribution twice.
    bool apply(const Step& step) {
        const Set& source = held_[step.from.value];
        Set& target = held_[step.to.value];
        if (step.op == Op::copy) {
            target = source;
            return true;
        }
        const bool disjoint = !source.intersects(target);
        target |= source;
        return disjoint;
    }
    /// Prepares for the steps of another chunk: undoes `steps`, all of the last chunk.
    void forget(const Schedule& schedule, std::span<const StepId> steps) {
        for (const StepId id : steps) {
            const Rank rank = schedule.steps[id.value].to;
            held_[rank.value].reset();
            if (rank.value < ranks_) held_[rank.value].set(rank.value);
        }
    }

private:
    std::uint32_t ranks_;
    std::vector<Set> held_;
};

}   // namespace oscar
