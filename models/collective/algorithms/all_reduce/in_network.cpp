#include "models/collective/algorithms/all_reduce/in_network.hpp"

#include <algorithm>
#include <vector>

#include "models/collective/schedule/builder.hpp"

namespace oscar {
namespace {

/// Of each participant: timesteps until it has the sum of what is below it.
std::vector<std::uint32_t> heights(std::uint32_t ranks, std::span<const Rank> parents) {
    std::vector<std::uint32_t> height(parents.size());
    const auto raise = [&](std::uint32_t child) {
        std::uint32_t& parent = height[parents[child].value];
        parent = std::max(parent, height[child] + 1);
    };
    for (std::uint32_t r = 0; r < ranks; ++r) raise(r);
    for (auto a = static_cast<std::uint32_t>(parents.size()) - 1; a > ranks; --a) raise(a);
    return height;
}

/// Of each participant: links from the root.
std::vector<std::uint32_t> depths(std::uint32_t ranks, std::span<const Rank> parents) {
    std::vector<std::uint32_t> depth(parents.size());
    const auto lower = [&](std::uint32_t child) { depth[child] = depth[parents[child].value] + 1; };
    for (std::uint32_t a = ranks + 1; a < parents.size(); ++a) lower(a);
    for (std::uint32_t r = 0; r < ranks; ++r) lower(r);
    return depth;
}

}   // namespace

Schedule make_schedule(const InNetworkParams& params, std::uint32_t ranks, std::span<const Rank> parents) {
    const std::vector<std::uint32_t> height = heights(ranks, parents), depth = depths(ranks, parents);
    const std::uint32_t root = ranks, deepest = std::ranges::max(depth);
    ScheduleBuilder builder(ranks, params.slices, static_cast<std::uint32_t>(parents.size()) - ranks);
    const auto for_each = [&](const std::vector<std::uint32_t>& level, std::uint32_t distance, auto send) {
        for (std::uint32_t chunk = 0; chunk < params.slices; ++chunk)
            for (std::uint32_t p = 0; p < parents.size(); ++p)
                if (p != root && level[p] == distance) send(Rank{p}, parents[p], ChunkId{chunk});
    };
    for (std::uint32_t t = 0; t < height[root]; ++t)
        for_each(height, t,
                 [&](Rank child, Rank parent, ChunkId chunk) { builder.send(child, parent, chunk, Op::reduce, t); });
    for (std::uint32_t d = 1; d <= deepest; ++d)
        for_each(depth, d, [&](Rank child, Rank parent, ChunkId chunk) {
            builder.send(parent, child, chunk, Op::copy, height[root] + d - 1);
        });
    return std::move(builder).finish();
}

Schedule make_schedule(const InNetworkParams& params, std::uint32_t ranks) {
    return make_schedule(params, ranks, std::vector(ranks + 1, Rank{ranks}));
}

}   // namespace oscar
