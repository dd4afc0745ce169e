#include "models/partition/cost_floor.hpp"

#include <algorithm>
#include <numeric>

namespace oscar {
namespace {

/// The first elements of a run take one more where what it lacks does not divide evenly.
void raise(std::span<std::uint32_t> run, std::uint32_t floor) {
    const std::uint64_t cost = std::accumulate(run.begin(), run.end(), std::uint64_t{0});
    const std::uint64_t least = std::uint64_t{floor} * run.size();
    if (cost >= least) return;
    const std::uint64_t each = (least - cost) / run.size(), more = (least - cost) % run.size();
    for (std::size_t i = 0; i < run.size(); ++i) run[i] += static_cast<std::uint32_t>(each + (i < more ? 1 : 0));
}

}   // namespace

std::vector<std::uint32_t> with_floor(PredictedCosts costs, std::uint32_t granularity, std::uint32_t floor) {
    std::vector<std::uint32_t> raised(costs.begin(), costs.end());
    for (std::size_t begin = 0; begin < raised.size(); begin += granularity)
        raise(std::span(raised).subspan(begin, std::min<std::size_t>(granularity, raised.size() - begin)), floor);
    return raised;
}

}   // namespace oscar
