#include "sim/start_skew.hpp"

#include <random>

namespace oscar {

std::vector<Time> starts_of(const Parameters& p, std::uint32_t position) {
    if (p.start_skew == Time{}) return {};
    std::seed_seq seeds{static_cast<std::uint32_t>(p.seed), static_cast<std::uint32_t>(p.seed >> 32), position};
    std::mt19937_64 random(seeds);
    std::vector<Time> result;
    for (std::uint32_t r = 0; r < p.ranks; ++r)
        result.push_back({static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(p.start_skew.ps + 1))});
    return result;
}

}   // namespace oscar
