#include "models/collective/algorithms/sharded/all_to_all.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace oscar {
namespace {

struct BlockWay {
    Rank from, to;
};

std::vector<BlockWay> ways_by_number(std::uint32_t ranks) {
    std::vector<BlockWay> ways;
    for (std::uint32_t away = 1; away < ranks; ++away)
        for (std::uint32_t r = 0; r < ranks; ++r) ways.push_back({Rank{r}, Rank{(r + away) % ranks}});
    return ways;
}

/// The numbers below n in NCCL's order: 0, 1, 3, 6, ... modulo a power of two, by which each comes once.
std::vector<std::uint32_t> quadratic_order(std::uint32_t n) {
    const std::uint32_t modulus = std::bit_ceil(n);
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0, number = 0; i < modulus; ++i, number = (number + i) % modulus)
        if (number < n) order.push_back(number);
    return order;
}

std::vector<BlockWay> ways_by_nodes(std::uint32_t ranks, std::uint32_t node) {
    const std::uint32_t nodes = (ranks + node - 1) / node;
    const auto by_local = quadratic_order(node);
    std::vector<BlockWay> ways;
    for (const std::uint32_t nodes_away : quadratic_order(nodes))
        for (const std::uint32_t away : by_local)
            for (std::uint32_t r = 0; r < ranks; ++r) {
                const std::uint32_t to = (r / node + nodes_away) % nodes * node + (r % node + away) % node;
                if (to < ranks && to != r) ways.push_back({Rank{r}, Rank{to}});
            }
    return ways;
}

}   // namespace

AllToAllParams on_islands(AllToAllParams params, std::uint32_t, std::uint32_t of_machine) {
    if (params.node == 0) params.node = of_machine;
    return params;
}

Schedule make_schedule(const AllToAllParams& params, std::uint32_t ranks) {
    const bool by_nodes = params.order == ExchangeOrder::nodes && params.node > 1 && params.node < ranks;
    const auto ways = by_nodes ? ways_by_nodes(ranks, params.node) : ways_by_number(ranks);
    Schedule schedule{ranks, ranks * ranks * params.slices, {}};
    for (std::uint32_t slice = 0; slice < params.slices; ++slice)
        for (const auto& [from, to] : ways)
            schedule.steps.push_back(
                {from, to, ChunkId{(slice * ranks + from.value) * ranks + to.value}, Op::copy, Timestep{0}});
    return schedule;
}

}   // namespace oscar
