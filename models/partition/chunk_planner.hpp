// Chunk boundaries of one rank from iteration to iteration.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "models/partition/chunks.hpp"

namespace oscar {

/// Predicted cost of each chunk of a layout, in the unit of `costs`, which cover the bucket.
std::vector<std::uint64_t> chunk_costs(const ChunkLayout& layout, PredictedCosts costs);

/// Law: planners of equal kinds that saw the same costs cut at the same places, so no message is needed.
class ChunkPlanner {
public:
    /// `floor`: least cost of a value, in 1/256 bit; it holds for kinds that balance time (PredictedParams::balance).
    ChunkPlanner(const ChunkKind& kind, std::uint32_t elements, ChunkCount count, std::uint32_t floor = 0)
        : kind_(kind), elements_(elements), count_(count), floor_(floor) {}

    /// The source of the costs that next() takes, where there is a history.
    CostSource cost_source() const {
        return std::visit([](const auto& params) { return params.costs; }, kind_.params);
    }

    /// The layout of the coming iteration. `costs` come from cost_source() (docs/chunks.md); empty without a source or
    /// a history. With `fallback`, equal chunks are used where the boundaries predicted for the iteration before would
    /// have made its largest chunk costlier than equal ones.
    ChunkLayout next(PredictedCosts costs);
    /// Forgets the prediction before, by which `fallback` decides.
    void reset() { predicted_.reset(); }
    /// True if next() gives the same here and there for the same costs. Precondition: planners of equal kinds.
    bool has_history_of(const ChunkPlanner& other) const { return predicted_ == other.predicted_; }

    /// Predicted cost of each chunk of the last layout, without a floor; empty if it was made without costs.
    const std::vector<std::uint64_t>& expected() const { return expected_; }
    /// True if the last layout is equal chunks because the prediction before it had failed.
    bool fell_back() const { return fell_back_; }

private:
    const PredictedParams* balances_time() const;
    ChunkLayout layout_of(PredictedCosts loads);
    bool failed(PredictedCosts loads) const;

    ChunkKind kind_;
    std::uint32_t elements_;
    ChunkCount count_;
    std::uint32_t floor_;
    std::optional<ChunkLayout> predicted_;   ///< for the iteration before, used or not
    std::vector<std::uint64_t> expected_;
    bool fell_back_ = false;
};

}   // namespace oscar
