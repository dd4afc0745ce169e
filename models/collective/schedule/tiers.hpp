// Tiers of a machine whose GPUs reach each other inside an island by ports of their own, and the others by NICs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/collective/schedule/schedule.hpp"

namespace oscar {

/// The way of a message: between islands by NICs, or inside an island by the ports of its GPUs.
enum class Tier : std::uint8_t { between, inside };
inline constexpr std::size_t tier_count = 2;

/// The tier of each step where `island` neighbouring ranks are an island, the last with fewer; empty if no step is
/// inside one. Switches that add are outside, but for those of islands.
inline std::vector<Tier> tiers_of(const Schedule& schedule, std::uint32_t island) {
    std::vector<Tier> tiers;
    if (island < 2) return tiers;
    const auto island_of = [&](Rank participant) {
        return participant.value < schedule.ranks ? participant.value / island : participant.value - schedule.ranks;
    };
    const auto inside = [&](const Step& step) {
        const bool among_ranks = std::max(step.from.value, step.to.value) < schedule.ranks;
        return (among_ranks || schedule.island_switches) && island_of(step.from) == island_of(step.to);
    };
    if (std::ranges::none_of(schedule.steps, inside)) return tiers;
    for (const Step& step : schedule.steps) tiers.push_back(inside(step) ? Tier::inside : Tier::between);
    return tiers;
}

}   // namespace oscar
