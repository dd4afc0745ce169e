// Schedule of a collective as a dependency graph of steps. It knows no sizes, no network and no clock.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "models/core/index.hpp"

namespace oscar {

/// The receiver's use of a chunk: it replaces its own by it, or adds it to its own.
enum class Op : std::uint8_t { copy, reduce };

using JoinId = Index<struct JoinTag>;   ///< a set of steps, one of those in Joins

/// One message between two participants. It may start when the steps of its join have completed at their receivers.
struct Step {
    Rank from, to;
    ChunkId chunk;
    Op op = Op::copy;
    Timestep timestep;
    JoinId after{};
};

/// Sets of steps that others wait for. Many steps can wait for one set, which is held once. Number 0 is empty.
class Joins {
public:
    /// Adds a set without looking for an equal one, and returns its number; 0 for an empty set.
    JoinId add(std::span<const StepId> members);
    std::span<const StepId> operator[](JoinId join) const;
    std::uint32_t size() const { return static_cast<std::uint32_t>(ends_.size()); }

private:
    std::vector<StepId> members_;          ///< of all sets, one set after the other
    std::vector<std::uint32_t> ends_{0};   ///< per set, the end of its members
};

/// Where ranks hold several sums of a chunk at once, as in scratch memory: what steps carry and ranks end with is what
/// joins say. Elsewhere a rank has one sum of a chunk: its own values, or what the last copy brought, and all that was
/// added to them since.
struct Scratch {
    std::vector<bool> without_own;   ///< per join: its messages alone are added up, not the rank's own values with them
    std::vector<JoinId> results;     ///< what a rank ends with: [rank * chunks + chunk]
};

/// Steps in an order that is a topological order of their dependencies. What a step waits for is in earlier timesteps.
struct Schedule {
    std::uint32_t ranks = 0, chunks = 0;
    std::vector<Step> steps;
    Joins joins = {};
    /// Participants that have nothing of their own to add, such as switches; their numbers follow the ranks' numbers.
    std::uint32_t aggregators = 0;
    /// Per chunk, the channel whose connections carry it; empty: there is but one.
    std::vector<std::uint8_t> channels = {};
    /// Per step, the timestep whose tables it is coded with, where slices are staggered; empty: its own.
    std::vector<Timestep> table_timesteps = {};
    /// Each aggregator is the switch of an island, in the order of the islands, and takes part inside it alone.
    bool island_switches = false;
    /// What steps carry, where that is more than one sum of a chunk at a rank. All ranks are then simulated.
    std::optional<Scratch> scratch = {};
    /// Neighbouring ranks that a reduce-scatter or an all-gather shares its chunks among; 0: all of them.
    std::uint32_t group = 0;

    std::uint32_t participants() const { return ranks + aggregators; }
    /// The steps that must have completed at their receivers before this one may start.
    std::span<const StepId> after(StepId step) const { return joins[steps[step.value].after]; }
    /// The channel whose connections carry a chunk; 0 if there is but one.
    std::uint32_t channel_of(ChunkId chunk) const { return channels.empty() ? 0 : channels[chunk.value]; }
    /// The timestep whose tables a step is coded with; differs from its own where slices are staggered.
    Timestep table_timestep(StepId step) const {
        return table_timesteps.empty() ? steps[step.value].timestep : table_timesteps[step.value];
    }
    /// One more than the last timestep; 0 for an empty schedule.
    std::uint32_t timesteps() const;
};

/// The steps of each chunk, in the schedule's order.
class StepsByChunk {
public:
    explicit StepsByChunk(const Schedule& schedule);
    std::span<const StepId> of(ChunkId chunk) const {
        return std::span(steps_).subspan(begins_[chunk.value], begins_[chunk.value + 1] - begins_[chunk.value]);
    }

private:
    std::vector<std::uint32_t> begins_;
    std::vector<StepId> steps_;
};

}   // namespace oscar
