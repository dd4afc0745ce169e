// One rank's values, and the changes that the steps of a collective make to them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "models/codec/interface/codec.hpp"
#include "models/collective/endpoint/plan.hpp"
#include "models/partition/chunks.hpp"

namespace oscar {

/// Copyable: a copy goes on independently from the same state, and shares its values until one of both changes them.
class RankValues {
public:
    /// `plan` outlives it.
    explicit RankValues(const Plan& plan) : plan_(&plan) {}

    /// Begins an iteration with these values, split as `layout` says.
    void begin(std::vector<Symbol> values, ChunkLayout layout);
    /// The symbols that a step sent by this rank will carry.
    std::vector<Symbol> outgoing_symbols(StepId step) const;
    /// Keeps what a later step will be the delta of.
    void remember(StepId step, std::span<const Symbol> symbols);
    /// Adds or copies what a step brought.
    void take_in(StepId step, std::span<const Symbol> symbols);

    /// The value of each element of the bucket.
    std::span<const Symbol> all() const { return *state_.values; }
    /// True if both hold the same values, which is known at once if they share them.
    bool equal(const RankValues& other) const;
    /// Shares the values of a rank that holds the same.
    void share(const RankValues& other) { state_.values = other.state_.values; }
    const ChunkLayout& layout() const { return state_.layout; }
    /// The runs of the bucket that make up a step's chunk, in travelling order.
    std::span<const Segment> segments(StepId step) const { return state_.layout.segments(chunk_of(step)); }
    /// The number of elements in a step's chunk.
    std::size_t size_of(StepId step) const { return state_.layout.size(chunk_of(step)); }

private:
    struct State {
        std::shared_ptr<std::vector<Symbol>> values = std::make_shared<std::vector<Symbol>>();
        ChunkLayout layout = {};
        std::vector<std::uint32_t> added = {};   ///< per chunk: additions made, of floats
        std::map<std::pair<ChunkId, std::uint32_t>, std::vector<Symbol>> out_of_order = {};   ///< others precede them
        std::map<std::uint32_t, std::vector<Symbol>> shared_partial = {};   ///< per step, what later ones are deltas of
        std::shared_ptr<const std::vector<Symbol>> own = nullptr;   ///< where there is scratch: what it began with
        std::map<StepId, std::vector<Symbol>> received = {};        ///< likewise: what each step brought
    };
    ChunkId chunk_of(StepId step) const { return plan_->schedule.steps[step.value].chunk; }
    std::vector<Symbol>& own_values();
    std::vector<Symbol> gathered(std::span<const Symbol> values, ChunkId chunk) const;
    std::vector<Symbol> sum_of(JoinId join, ChunkId chunk) const;
    void keep(StepId step, std::span<const Symbol> symbols);
    void copy_now(ChunkId chunk, std::span<const Symbol> symbols);
    void add(StepId step, std::span<const Symbol> symbols);
    void add_now(ChunkId chunk, std::span<const Symbol> symbols);
    template <class F>
    void for_each_segment(ChunkId chunk, std::span<const Symbol> symbols, F&& f);

    const Plan* plan_;
    State state_;
};

}   // namespace oscar
