// All-to-all by direct exchange.
#pragma once

#include <array>

#include "models/collective/schedule/params.hpp"
#include "models/collective/schedule/schedule.hpp"

namespace oscar {

/// The order in which a rank sends its blocks.
enum class ExchangeOrder : std::uint8_t { nodes, number };
constexpr auto choices(ExchangeOrder) {
    return std::array{Choice{"nodes", ExchangeOrder::nodes,
                             "node by node, and in each by local rank, as NCCL does; by number on one node"},
                      Choice{"number", ExchangeOrder::number, "by rank, beginning with the next one"}};
}

struct AllToAllParams : CollectiveParams {
    ExchangeOrder order = ExchangeOrder::nodes;
    std::uint32_t node = 0;
    static constexpr Operation operation = Operation::all_to_all;
    static constexpr auto fields() {
        return concatenate(fields_of<AllToAllParams>(),
                           Entries{field("order", &AllToAllParams::order, "order of a rank's blocks"),
                                   field("node", &AllToAllParams::node,
                                         "ranks of a node, of which the last may have fewer; 0: those of an island of "
                                         "the topology",
                                         0u, 65536u)});
    }
};

/// The same collective on a machine with such islands, with its nodes named.
AllToAllParams on_islands(AllToAllParams params, std::uint32_t ranks, std::uint32_t of_machine);

/// Transposes blocks: ranks^2 slices chunks, numbered row by row in each slice; rank r sends chunk j of its row r to
/// rank j, beginning with its successor. One timestep. Of a rank's bucket only its own row travels.
/// By nodes, number l of node a sends to number (l + e) mod g of node (a + d) mod m, for each d and in it each e, both
/// in NCCL's order: (i^2 + i)/2 modulo the next power of two, without those that are too large. So at each point of
/// that order every rank receives from one, where the successors of a node's ranks are all on the first rank of the
/// next. Precondition: ranks >= 2. Source: NCCL, src/init.cc, p2pSchedule.
Schedule make_schedule(const AllToAllParams& params, std::uint32_t ranks);

}   // namespace oscar
