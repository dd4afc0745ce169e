#include "models/partition/chunk_planner.hpp"

#include <algorithm>

#include "models/partition/cost_floor.hpp"

namespace oscar {
namespace {

std::uint64_t largest_chunk(const ChunkLayout& layout, PredictedCosts costs) {
    return std::ranges::max(chunk_costs(layout, costs));
}

bool falls_back(const ChunkKind& kind) {
    return std::visit(
        [](const auto& params) {
            if constexpr (requires { params.fallback; }) return params.fallback;
            else return false;
        },
        kind.params);
}

}   // namespace

std::vector<std::uint64_t> chunk_costs(const ChunkLayout& layout, PredictedCosts costs) {
    std::vector<std::uint64_t> result(layout.chunks());
    for (std::uint32_t c = 0; c < layout.chunks(); ++c)
        for (const Segment s : layout.segments(ChunkId{c}))
            for (std::uint32_t i = s.begin; i < s.end; ++i) result[c] += costs[i];
    return result;
}

/// Null where chunks are not to have equal times.
const PredictedParams* ChunkPlanner::balances_time() const {
    const auto* params = std::get_if<PredictedParams>(&kind_.params);
    return params != nullptr && params->balance == Balance::time ? params : nullptr;
}

bool ChunkPlanner::failed(PredictedCosts loads) const {
    if (!falls_back(kind_) || !predicted_ || loads.empty()) return false;
    return largest_chunk(*predicted_, loads) > largest_chunk(make_layout(kind_, elements_, count_, {}), loads);
}

ChunkLayout ChunkPlanner::layout_of(PredictedCosts loads) {
    fell_back_ = failed(loads);
    ChunkLayout layout = make_layout(kind_, elements_, count_, loads);
    if (loads.empty()) predicted_.reset();
    else predicted_ = layout;
    return fell_back_ ? make_layout(kind_, elements_, count_, {}) : layout;
}

ChunkLayout ChunkPlanner::next(PredictedCosts costs) {
    const PredictedParams* timed = balances_time();
    ChunkLayout layout = timed ? layout_of(with_floor(costs, timed->granularity, floor_)) : layout_of(costs);
    expected_ = costs.empty() ? std::vector<std::uint64_t>{} : chunk_costs(layout, costs);
    return layout;
}

}   // namespace oscar
