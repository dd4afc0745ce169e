#include "sim/parameters/sharding.hpp"

#include "models/collective/algorithms/collective_islands.hpp"
#include "models/collective/algorithms/halves.hpp"
#include "sim/parameters/nccl.hpp"

namespace oscar {
namespace {

std::uint32_t island_of_machine(const Parameters& p) {
    const auto* islands = std::get_if<IslandsParams>(&p.network.topology.params);
    return islands != nullptr ? islands->island : 1;
}

std::uint32_t group_of_collective(const Parameters& p) {
    const ShardParams* shards = shards_in(p.collective);
    return shards != nullptr ? shards->group : 0;
}

}   // namespace

bool is_sharded(const Parameters& p) { return p.step && is_sharded(p.step->strategy); }

std::uint32_t sharing_ranks(const Parameters& p) {
    if (p.step->strategy == StepStrategy::fsdp) return 0;
    if (p.step->group != 0) return p.step->group;
    if (group_of_collective(p) != 0) return group_of_collective(p);
    const std::uint32_t island = island_of_machine(p);
    return island > 1 ? island : 0;
}

std::string_view key_of_group(const Parameters& p) {
    const bool by_step = is_sharded(p) && (p.step->group != 0 || group_of_collective(p) == 0);
    return by_step ? "step.group" : "collective.group";
}

void place_shards(Parameters& p) {
    if (is_sharded(p) && nccl_in(p) == nullptr) {
        ReduceScatterParams collective = reduce_scatter_of(p.collective).value();
        collective.group = p.step->group = sharing_ranks(p);
        p.collective = collective;
    }
    if (p.jobs.empty()) p.collective = placed_on_islands(p.collective, p.ranks, island_of_machine(p));
}

Collective gather_of_step(const Parameters& p) {
    if (const NcclCollectiveParams* nccl = nccl_in(p)) {
        NcclCollectiveParams gather = *nccl;
        gather.operation = Operation::all_gather;
        return gather;
    }
    return all_gather_of(std::get<ReduceScatterParams>(p.collective.params));
}

}   // namespace oscar
