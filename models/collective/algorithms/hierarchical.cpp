#include "models/collective/algorithms/hierarchical.hpp"

#include <stdexcept>
#include <string>

#include "models/collective/schedule/phases.hpp"

namespace oscar {
namespace {

constexpr std::uint32_t largest_island = 8;   // GPUs of a usual server

std::uint32_t island_of(const HierarchicalParams& params, std::uint32_t ranks) {
    if (params.island == 0) return largest_divisor(ranks, largest_island);
    if (ranks % params.island != 0)
        throw std::invalid_argument("island: " + std::to_string(params.island) + " does not divide " +
                                    std::to_string(ranks) + " ranks; choose a divisor, or 0");
    return params.island;
}

}   // namespace

Schedule make_schedule(const HierarchicalParams& params, std::uint32_t ranks) {
    const std::uint32_t g = island_of(params, ranks), islands = ranks / g;
    ScheduleBuilder builder(ranks, ranks * params.slices);
    std::uint32_t timestep = 0;
    const auto inside = [&](auto exchange) {
        if (g == 1) return;
        for (std::uint32_t slice = 0; slice < params.slices; ++slice)
            for (std::uint32_t island = 0; island < islands; ++island)
                exchange(builder, ranks_from(island * g, 1, g), Parts{slice * ranks, islands}, timestep);
        ++timestep;
    };
    const auto across = [&](Op op) {
        for (std::uint32_t s = 0; s + 1 < islands; ++s, ++timestep)
            for (std::uint32_t slice = 0; slice < params.slices; ++slice)
                for (std::uint32_t i = 0; i < g; ++i)
                    ring_round(builder, ranks_from(i, g, islands), {slice * ranks + i * islands},
                               (op == Op::reduce ? 0 : 1) - std::int64_t{s}, op, timestep);
    };
    inside(direct_reduce_scatter);
    across(Op::reduce);
    across(Op::copy);
    inside(direct_all_gather);
    return std::move(builder).finish();
}

}   // namespace oscar
