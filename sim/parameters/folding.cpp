#include "sim/parameters/folding.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/collective/algorithms/collective_islands.hpp"
#include "models/gpu/dma_rates.hpp"
#include "models/network/transport/make_network.hpp"
#include "sim/parameters/method_setup.hpp"

namespace oscar {
namespace {

constexpr std::uint32_t automatic_from = 1024;
/// Two groups would send to each other both ways, over one connection where there are two.
constexpr std::uint32_t least_groups = 3;

std::uint32_t island_of_topology(const Parameters& p) {
    const auto* islands = std::get_if<IslandsParams>(&p.network.topology.params);
    return islands != nullptr ? std::min(islands->island, p.ranks) : 1;
}

/// The islands that the collective is made in; none where it is made without.
std::optional<CollectiveIslands> islands_of_collective(const Parameters& p) {
    return islands_of(p.collective, p.ranks, island_of_topology(p));
}

/// Neighbouring ranks that a rotation keeps together: those of an island of the topology or of the collective.
std::uint32_t kept_together(const Parameters& p) {
    const auto islands = islands_of_collective(p);
    return islands ? islands->ranks : island_of_topology(p);
}

/// The fewest groups, three at least, into whose number theirs can be divided; 0 if that is all of them.
std::uint32_t fewest_groups(std::uint32_t groups) {
    for (std::uint32_t fewest = least_groups; fewest < groups; ++fewest)
        if (groups % fewest == 0) return fewest;
    return 0;
}

using Problem = std::optional<FoldingProblem>;

struct ProblemOfCollective {
    const Parameters& p;
    Problem operator()(const RingParams&) const { return {}; }
    Problem operator()(const ReduceScatterParams& params) const { return of_shards(params); }
    Problem operator()(const AllGatherParams& params) const {
        if (params.shape == AllGatherShape::dissemination)
            return FoldingProblem{"collective", "by dissemination a rank sends to many others; choose shape: ring"};
        return of_shards(params);
    }
    Problem operator()(const HierarchicalParams& params) const { return of_islands(params); }
    Problem operator()(const NcclCollectiveParams& params) const {
        if (params.algorithm.value_or(NcclAlgorithm::ring) == NcclAlgorithm::ring) return {};
        return FoldingProblem{"collective", fmt::format("steps of {} differ from rank to rank; choose algorithm: ring",
                                                        to_text(*params.algorithm))};
    }
    Problem operator()(const auto&) const {
        return FoldingProblem{"collective",
                              "its steps differ from rank to rank; choose ring, hierarchical, reduce_scatter or "
                              "all_gather"};
    }

private:
    Problem of_shards(const auto& params) const {
        if (params.group != 0)
            return FoldingProblem{"collective.group", "its rings go round in groups of ranks; choose 0"};
        return is_hierarchical(params) ? of_islands(params) : Problem{};
    }
    Problem of_islands(const IslandParams& params) const {
        if (params.inside == InsideIsland::island_switch)
            return FoldingProblem{"collective.inside", "switches of islands add for all ranks; choose ranks"};
        if (params.island != 0 && p.ranks % params.island != 0)
            return FoldingProblem{"collective.island",
                                  fmt::format("it does not divide the ranks; choose a divisor of {}", p.ranks)};
        return {};
    }
};

Problem problem_of_rails(const Parameters& p, const IslandsParams& islands) {
    if (!islands.rails) return {};
    if (island_params_in(p.collective) == nullptr)
        return FoldingProblem{"network.topology.rails",
                              "the rails' cables to their spines are shared by all islands; choose collective: "
                              "hierarchical, whose messages stay on their rail, or rails: false"};
    const bool exact = fixed_point(p.quantiser).agreement == ScaleAgreement::exact;
    const auto quantised = [](const Method& method) { return element_type_of(method) == ElementType::integer; };
    if (exact && std::ranges::any_of(p.methods, quantised))
        return FoldingProblem{"quantiser.agreement",
                              "the exchange of scales crosses the rails' cables to their spines, which all islands "
                              "share; choose delayed, or rails: false"};
    return {};
}

Problem problem_of_pcie_switches(const Parameters& p) {
    if (!shares_uplink(p.gpu)) return {};
    return FoldingProblem{"gpu.pcie_switch.uplink",
                          "GPUs that share it differ; leave it out, or choose one that is as fast as all of them"};
}

Problem problem_of_staging_memory(const Parameters& p) {
    if (!p.nic.staging_memory) return {};
    return FoldingProblem{"nic.staging_memory", "packets wait for it where they come together; leave it out"};
}

Problem problem_of_topology(const Parameters& p) {
    if (const auto* star = std::get_if<StarParams>(&p.network.topology.params))
        return star->nodes == 0 ? Problem{}
                                : FoldingProblem{"network.topology.nodes",
                                                 "a switch of so many ranks would have them all; leave it out"};
    const auto* islands = std::get_if<IslandsParams>(&p.network.topology.params);
    if (islands == nullptr)
        return FoldingProblem{"network.topology",
                              "switches have cables that many ranks share; choose star or "
                              "hierarchical"};
    if (p.ranks % islands->island != 0)
        return FoldingProblem{"network.topology.island",
                              fmt::format("the last island has fewer ranks; choose a divisor of {}", p.ranks)};
    if (kept_together(p) != islands->island)
        return FoldingProblem{"collective.island",
                              fmt::format("its islands are not those of the topology; choose {}", islands->island)};
    if (islands->gpus_per_nic > 1)
        return FoldingProblem{"network.topology.gpus_per_nic", "ranks that share a NIC differ; choose 1"};
    return problem_of_rails(p, *islands);
}

/// The pairs of ranks whose messages share a link, where most do.
struct PairsOfALink {
    const Parameters& p;
    /// A rank sends to its successor, and backwards to its predecessor.
    std::uint32_t operator()(const RingParams& params) const {
        return params.all_gather_direction == AllGatherDirection::reverse ? 2 : 1;
    }
    /// To its partners in the island, and to its successor in the ring, unless another link leads there.
    std::uint32_t operator()(const auto&) const {
        const auto islands = islands_of_collective(p);
        if (!islands) return 1;
        const std::uint32_t inside = islands->ranks - 1;
        return std::holds_alternative<IslandsParams>(p.network.topology.params) ? std::max(1u, inside) : inside + 1;
    }
};

/// The topologies that can be folded have no datelines: each of their channels is a group of its own.
Problem problem_of_virtual_channels(const Parameters& p) {
    const std::uint32_t pairs = std::visit(PairsOfALink{p}, p.collective.params);
    if (p.network.virtual_channels == 1 || pairs == 1) return {};
    return FoldingProblem{
        "network.virtual_channels",
        fmt::format("links carry messages of {} pairs of ranks, of which the hash of virtual channels "
                    "lets other pairs share a channel at other ranks; choose 1",
                    pairs)};
}

Problem problem_of_sizes(const Parameters& p) {
    const std::uint64_t chunks = std::uint64_t{p.ranks} * slices_of(p.collective) * channels_of(p.collective);
    const std::uint64_t values = values_of(*p.size);
    if (values % chunks == 0) return {};
    return FoldingProblem{"size", fmt::format("its {} values do not make {} chunks of equal size; choose {}B", values,
                                              chunks, 4 * std::max<std::uint64_t>(1, values / chunks) * chunks)};
}

Problem problem_of_number(const Parameters& p) {
    const std::uint32_t group = kept_together(p);
    if (fewest_groups(p.ranks / group) > 0) return {};
    return FoldingProblem{"ranks", fmt::format("{} {} cannot stand for fewer, at least {}; choose a multiple",
                                               p.ranks / group, group == 1 ? "ranks" : "islands", least_groups)};
}

}   // namespace

std::optional<FoldingProblem> find_folding_problem(const Parameters& p) {
    if (p.payload != Payload::synthetic)
        return FoldingProblem{"payload", "each rank has gradients of its own; choose synthetic"};
    if (!p.nodes.empty()) return FoldingProblem{"nodes", "some nodes differ; leave them out"};
    if (p.step) return FoldingProblem{"step", "its buckets differ in size; leave it out"};
    if (!p.jobs.empty()) return FoldingProblem{"jobs", "ranks have different jobs; leave them out"};
    if (p.tuner) return FoldingProblem{"tuner", "its links between nodes differ from those inside; leave it out"};
    if (p.start_jitter != Time{}) return FoldingProblem{"start_jitter", "ranks start at different times; leave it out"};
    if (!p.network.overrides.empty()) return FoldingProblem{"network.overrides", "some links differ; leave them out"};
    if (has_background(p)) return FoldingProblem{"network.background", "it is random; leave it out"};
    if (p.network.faults) return FoldingProblem{"network.faults", "they are random; leave them out"};
    if (!is_plain(p.network))
        return FoldingProblem{"network",
                              "packets that are lost, marked, paused or repaired differ from rank to rank; "
                              "leave out loss, reliability, congestion, flow control and routers"};
    if (in_flight_of(p.collective) > 0)
        return FoldingProblem{"collective.in_flight",
                              "a slice waits for all that a rank has received of an earlier one; choose 0"};
    if (auto problem = std::visit(ProblemOfCollective{p}, p.collective.params)) return problem;
    if (auto problem = problem_of_pcie_switches(p)) return problem;
    if (auto problem = problem_of_staging_memory(p)) return problem;
    if (auto problem = problem_of_topology(p)) return problem;
    if (auto problem = problem_of_virtual_channels(p)) return problem;
    if (auto problem = problem_of_sizes(p)) return problem;
    return problem_of_number(p);
}

std::uint32_t simulated_ranks(const Parameters& p) {
    if (p.folding == Folding::never || (p.folding == Folding::automatic && p.ranks < automatic_from)) return p.ranks;
    if (find_folding_problem(p)) return p.ranks;
    const std::uint32_t group = kept_together(p);
    return fewest_groups(p.ranks / group) * group;
}

std::uint32_t ranks_for_each(const Parameters& p) { return p.ranks / simulated_ranks(p); }

}   // namespace oscar
