// The participants of a method: what each of them holds from iteration to iteration.
#pragma once

#include <span>
#include <vector>

#include "models/collective/endpoint/rank_state.hpp"
#include "models/partition/chunk_planner.hpp"
#include "models/partition/classes.hpp"
#include "sim/run/iteration/method_setting.hpp"

namespace oscar {

/// Ranks, and switches that add: the values and tables of each, and how it decides on its own.
struct Participants {
    /// Makes the participants of `setting`, which must outlive them. `tensors` tile the bucket.
    Participants(const MethodSetting& setting, const std::vector<Segment>& tensors);

    /// Begins an iteration, with the layouts that have been chosen.
    void begin(const MethodSetting& setting, const IterationCodes& codes);
    /// Forgets the iterations before.
    void forget();
    /// Forgets what was learnt since begin(); keeps the layouts, for the repetition.
    void roll_back();

    std::vector<RankState> rank_states;
    std::vector<ChunkPlanner> planners;
    std::vector<Classifier> classifiers;   ///< none without a split
    std::vector<ChunkLayout> layouts;      ///< of the iteration begun last, until its commit

private:
    std::vector<ElementClasses> classes() const;
};

/// The participants of the reference, and those of the machine.
using ParticipantSets = std::span<Participants* const>;

/// The iteration counts: tables, boundaries and classes learn from it.
void commit(ParticipantSets sets, const ParallelFor& parallel);

}   // namespace oscar
