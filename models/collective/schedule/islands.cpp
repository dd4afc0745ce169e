#include "models/collective/schedule/islands.hpp"

#include <numeric>
#include <stdexcept>
#include <string>

#include "models/collective/schedule/phases.hpp"

namespace oscar {
namespace {

constexpr std::uint32_t largest_island = 8;   // GPUs of a usual server

}   // namespace

/// A common divisor of the ranks and of an island's has no island of the collective on two of the machine.
std::uint32_t island_of(const IslandParams& params, std::uint32_t ranks, std::uint32_t of_machine) {
    if (params.island == 0)
        return of_machine > 1 ? std::gcd(ranks, of_machine) : largest_divisor(ranks, largest_island);
    if (ranks % params.island != 0)
        throw std::invalid_argument("island: " + std::to_string(params.island) + " does not divide " +
                                    std::to_string(ranks) + " ranks; choose a divisor, or 0");
    return params.island;
}

std::uint32_t switches_of(const IslandParams& params, std::uint32_t ranks, std::uint32_t of_machine) {
    if (params.inside == InsideIsland::ranks) return 0;
    const std::uint32_t island = island_of(params, ranks, of_machine);
    return island > 1 ? ranks / island : 0;
}

}   // namespace oscar
