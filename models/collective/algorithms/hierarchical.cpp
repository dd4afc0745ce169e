#include "models/collective/algorithms/hierarchical.hpp"

#include <stdexcept>
#include <string>

#include "models/collective/schedule/phases.hpp"

namespace oscar {
namespace {

constexpr std::uint32_t largest_island = 8;   // GPUs of a usual server

Schedule sent_by(ScheduleBuilder builder, const HierarchicalParams& params, std::uint32_t ranks) {
    const std::uint32_t g = island_of(params, ranks), islands = ranks / g;
    std::uint32_t timestep = 0;
    // Each island in the order in which its ring sends the chunks, or has received them.
    const auto inside = [&](auto exchange, std::uint32_t first) {
        if (g == 1) return;
        for (std::uint32_t slice = 0; slice < params.slices; ++slice)
            for (std::uint32_t island = 0; island < islands && builder.takes(Rank{island * g}); ++island)
                exchange(builder, ranks_from(island * g, 1, g),
                         Parts{slice * ranks, islands, (island + first) % islands}, timestep);
        ++timestep;
    };
    const auto across = [&](Op op) {
        for (std::uint32_t s = 0; s + 1 < islands; ++s, ++timestep)
            for (std::uint32_t slice = 0; slice < params.slices; ++slice)
                for (std::uint32_t i = 0; i < g; ++i)
                    ring_round(builder, ranks_from(i, g, islands), {slice * ranks + i * islands},
                               (op == Op::reduce ? 0 : 1) - std::int64_t{s}, op, timestep);
    };
    inside(direct_reduce_scatter, 0);
    across(Op::reduce);
    across(Op::copy);
    inside(direct_all_gather, 1);
    return std::move(builder).finish();
}

}   // namespace

std::uint32_t island_of(const HierarchicalParams& params, std::uint32_t ranks) {
    if (params.island == 0) return largest_divisor(ranks, largest_island);
    if (ranks % params.island != 0)
        throw std::invalid_argument("island: " + std::to_string(params.island) + " does not divide " +
                                    std::to_string(ranks) + " ranks; choose a divisor, or 0");
    return params.island;
}

Schedule make_schedule(const HierarchicalParams& params, std::uint32_t ranks) {
    return sent_by(ScheduleBuilder(ranks, ranks * params.slices), params, ranks);
}

Schedule make_part(const HierarchicalParams& params, std::uint32_t ranks, std::uint32_t turn) {
    const std::uint32_t g = island_of(params, ranks);
    const Rotation rotation{turn, turn / g, ranks / g};
    return sent_by(ScheduleBuilder(ranks, ranks * params.slices, rotation), params, ranks);
}

}   // namespace oscar
