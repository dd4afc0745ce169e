// Start times of ranks.
#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "sim/parameters/nodes.hpp"
#include "sim/parameters/parameters.hpp"

namespace oscar {

/// Per rank, a start within the jitter in the iteration at `position`, and as late as its node is, by a generator whose
/// output the standard fixes; empty where all start at once.
inline std::vector<Time> starts_of(const Parameters& p, std::uint32_t position) {
    std::vector<Time> result = start_delays_of(p);
    const bool together = std::ranges::all_of(result, [](Time delay) { return delay == Time{}; });
    if (p.start_jitter == Time{}) return together ? std::vector<Time>{} : result;
    std::seed_seq seeds{static_cast<std::uint32_t>(p.seed), static_cast<std::uint32_t>(p.seed >> 32), position};
    std::mt19937_64 random(seeds);
    for (Time& start : result)
        start += Time{static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(p.start_jitter.ps + 1))};
    return result;
}

}   // namespace oscar
