#include "sim/experiment/start_skew.hpp"

#include <algorithm>
#include <random>

#include "sim/parameters/nodes.hpp"

namespace oscar {

std::vector<Time> starts_of(const Parameters& p, std::uint32_t position) {
    std::vector<Time> result = lateness_of(p);
    const bool together = std::ranges::all_of(result, [](Time late) { return late == Time{}; });
    if (p.start_skew == Time{}) return together ? std::vector<Time>{} : result;
    std::seed_seq seeds{static_cast<std::uint32_t>(p.seed), static_cast<std::uint32_t>(p.seed >> 32), position};
    std::mt19937_64 random(seeds);
    for (Time& start : result)
        start += Time{static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(p.start_skew.ps + 1))};
    return result;
}

}   // namespace oscar
