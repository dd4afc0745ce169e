#include "models/partition/chunk_planner.hpp"

#include <algorithm>

namespace oscar::inline partition {
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

bool ChunkPlanner::failed(PredictedCosts costs) const {
    if (!falls_back(kind_) || !predicted_ || costs.empty()) return false;
    return largest_chunk(*predicted_, costs) > largest_chunk(make_layout(kind_, elements_, count_, {}), costs);
}

ChunkLayout ChunkPlanner::next(PredictedCosts costs) {
    fell_back_ = failed(costs);
    ChunkLayout layout = make_layout(kind_, elements_, count_, costs);
    if (costs.empty()) predicted_.reset();
    else predicted_ = layout;
    if (fell_back_) layout = make_layout(kind_, elements_, count_, {});
    expected_ = costs.empty() ? std::vector<std::uint64_t>{} : chunk_costs(layout, costs);
    return layout;
}

}   // namespace oscar::inline partition
