// Builder of schedules from sends alone; it derives the dependencies from the sends before.
#pragma once

#include <optional>
#include <vector>

#include "models/collective/schedule/rotation.hpp"
#include "models/collective/schedule/schedule.hpp"

namespace oscar {

/// A send waits for all that made up the chunk at its sender: the copy that brought it and all additions since. That
/// orders everything in a collective whose copies bring only what all readers and adders of the place they overwrite
/// went into, as final sums are; find_problem() checks it.
/// Memory: 12 bytes per participant and chunk beside the schedule.
///
/// With a rotation, under which the sends must be symmetric, the schedule has the steps of the first chunks of each
/// cycle alone, of which each is one of those that the rotation takes into each other. They are made of the sends of
/// the first ranks; those of others are left out.
class ScheduleBuilder {
public:
    ScheduleBuilder(std::uint32_t ranks, std::uint32_t chunks, std::uint32_t aggregators = 0);
    ScheduleBuilder(std::uint32_t ranks, std::uint32_t chunks, const Rotation& rotation);

    /// Appends a step. Sends must be appended in an order in which they could happen.
    void send(Rank from, Rank to, ChunkId chunk, Op op, std::uint32_t timestep);
    /// False for a rank whose sends are left out; then so are those of all ranks after it.
    bool takes(Rank sender) const { return !rotation_ || sender.value < rotation_->ranks; }
    /// Returns the schedule; the builder is then used up.
    Schedule finish() && { return std::move(schedule_); }

private:
    /// The steps that made up a chunk at a rank.
    struct Place {
        std::uint32_t last = none;      ///< the last step that brought something; the ones before it: earlier_
        std::optional<JoinId> join{};   ///< all of them, when somebody has asked
    };
    static constexpr std::uint32_t none = 0xFFFFFFFF;
    Place& place(Rank rank, ChunkId chunk) { return places_[std::size_t{rank.value} * schedule_.chunks + chunk.value]; }
    JoinId join(Place& place);
    void append(Rank from, Rank to, ChunkId chunk, Op op, std::uint32_t timestep);

    Schedule schedule_;
    std::optional<Rotation> rotation_;
    std::vector<Place> places_;
    std::vector<std::uint32_t> earlier_;   ///< per step, the one that brought something to the same place before
    std::vector<StepId> members_;          ///< of the join that is being made
};

}   // namespace oscar
