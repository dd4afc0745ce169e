// Islands of ranks that a collective is made in.
#pragma once

#include <array>
#include <cstdint>

#include "models/core/fields.hpp"

namespace oscar {

/// What adds and copies inside an island.
enum class InsideIsland : std::uint8_t { ranks, island_switch };
constexpr auto choices(InsideIsland) {
    return std::array{Choice{"ranks", InsideIsland::ranks,
                             "each rank adds a part that the others send it, and sends the sum to them"},
                      Choice{"switch", InsideIsland::island_switch,
                             "the island's switch adds for them, and copies what one sends to all (NVLink SHARP)"}};
}

/// The parameters of a collective in islands.
struct IslandParams {
    std::uint32_t island = 0;
    InsideIsland inside = InsideIsland::ranks;
    template <class P>
    static constexpr auto island_fields_of() {
        return Entries{field("island", &P::island,
                             "ranks of an island (a divisor of `ranks`); 0: those of the topology's islands, or the "
                             "largest divisor that keeps within them; without such, the largest up to 8",
                             0u, 4096u),
                       field("inside", &P::inside, "what adds inside an island")};
    }
};

/// The ranks of an island. `of_machine`: neighbouring ranks on an island of the machine, of which the last may have
/// fewer; 1: it has none. std::invalid_argument: params.island does not divide the ranks.
std::uint32_t island_of(const IslandParams& params, std::uint32_t ranks, std::uint32_t of_machine);
/// The switches that take part: one of each island, or none.
std::uint32_t switches_of(const IslandParams& params, std::uint32_t ranks, std::uint32_t of_machine);

}   // namespace oscar
