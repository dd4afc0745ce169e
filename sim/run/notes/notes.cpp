#include "sim/run/notes/notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/collective/algorithms/collective_islands.hpp"
#include "models/core/quantity.hpp"
#include "models/network/event/background_load.hpp"
#include "models/network/event/credit_loop.hpp"
#include "models/network/params/input_queued_params.hpp"
#include "models/network/topology/aggregation_tree.hpp"
#include "models/network/traffic/background_pattern.hpp"
#include "models/predict/predictors.hpp"
#include "sim/describe/echo.hpp"
#include "sim/parameters/jobs.hpp"
#include "sim/parameters/nccl.hpp"
#include "sim/parameters/nodes.hpp"
#include "sim/terminal/text_table.hpp"

namespace oscar {
namespace {

/// "gpu.dma_bandwidth 50Gbps" for all keys in which the two differ.
template <FieldTable P>
void add_differences(std::string_view prefix, const P& own, const P& others, std::vector<std::string>& list) {
    for_each_field<P>([&](const auto& field) {
        using Value = std::remove_cvref_t<decltype(own.*field.member)>;
        if constexpr (FieldTable<Value>)
            add_differences(fmt::format("{}.{}", prefix, field.key), own.*field.member, others.*field.member, list);
        else if constexpr (requires { plain_text(own.*field.member); })
            if (own.*field.member != others.*field.member)
                list.push_back(fmt::format("{}.{} {}", prefix, field.key, plain_text(own.*field.member)));
    });
}

std::string differences(const NodeChange& change, const Parameters& p) {
    std::vector<std::string> list;
    add_differences("gpu", change.gpu, p.gpu, list);
    add_differences("nic", change.nic, p.nic, list);
    add_differences("engine", change.engine, p.engine, list);
    if (change.start_delay != Time{}) list.push_back("start_delay " + plain_text(change.start_delay));
    if (change.slowdown != 1) list.push_back("slowdown " + plain_text(change.slowdown));
    return list.empty() ? "nothing" : fmt::format("{}", fmt::join(list, ", "));
}

std::string note_on_nodes(const Parameters& p) {
    std::vector<std::string> entries;
    for (const NodeChange& change : p.nodes)
        entries.push_back(fmt::format("rank {}: {}", fmt::join(change.ranks, ", "), differences(change, p)));
    return fmt::format("nodes differ: {}", fmt::join(entries, "; "));
}

std::string note_on_tuning(const Parameters& p) {
    const NcclChoice choice = fastest_choice(*p.tuner, p.ranks, *p.size);
    return fmt::format("tuner: {} expected to take {} us; simulated is {}", choice.predicted.name,
                       microseconds(choice.predicted.time.ps), choice.predicted.name);
}

/// What of the bytes on the wire is no data.
std::string text_of_lines(const Parameters& p) {
    const auto lines = lines_of(p);
    return lines ? fmt::format("; {} of {} bytes of a line are its flag", lines->flag, lines->size()) : "";
}

/// The parts that the collective is performed in.
std::string text_of_parts(const NcclCollectiveParams& nccl) {
    const std::string slices = nccl.slices == 1 ? "one slice" : fmt::format("{} slices", nccl.slices);
    if (nccl.by_switches()) return slices;
    const std::string channels = nccl.channels == 1 ? "one channel" : fmt::format("{} channels", nccl.channels);
    return nccl.is_tree() ? fmt::format("{} of {}", channels, slices) : channels;
}

std::string note_on_nccl(const Parameters& p) {
    const NcclCollectiveParams& nccl = *nccl_in(p);
    const NcclChoice choice = nccl_choice(p, nccl.bytes);
    const bool alike = p.methods.size() == 1 && p.payload == Payload::synthetic && !p.step;
    return fmt::format("nccl: {} for {} of {}{}: {} on {}{}, which NCCL's tuner expects to take {} us at {}",
                       choice.predicted.name, to_text(nccl.operation), plain_text(nccl.bytes),
                       alike ? "" : ", the widest method's largest bucket, and for all others, too",
                       text_of_parts(nccl),
                       nccl.island == 1 ? "nodes of one GPU" : fmt::format("nodes of {} GPUs", nccl.island),
                       text_of_lines(p), microseconds(choice.predicted.time.ps), plain_text(tuner_of(p).bandwidth));
}

std::string note_on_routers(const NetworkParams& network) {
    const VcRouterParams router = vc_router(*input_queued(network), network);
    const auto in_time = [&](std::uint32_t cycles) { return plain_text(std::int64_t{cycles} * router_cycle(network)); };
    return fmt::format(
        "input-queued routers: a cycle is {}; a link takes {} cycles ({}), one of them for the flit, a switch {} ({}); "
        "{} VCs of {} flits have {} a link",
        plain_text(router_cycle(network)), router.link_delay, in_time(router.link_delay), router.switch_delay,
        in_time(router.switch_delay), router.vcs, router.vc_flits,
        plain_text(Bytes{std::uint64_t{router.vcs} * router.vc_flits * network.flit.count}));
}

std::string note_on_background(const Parameters& p) {
    const BackgroundParams& background = *p.network.background;
    return fmt::format("background traffic of other hosts: {}, messages of {}, each sender offers {} of its link",
                       background.pattern.name(), to_text(background.message), background.load);
}

std::optional<std::string> note_on_overload(const Parameters& p, const Routes& routes) {
    if (!has_background(p)) return std::nullopt;
    std::vector<OfferedLoad> overloads = background_load(*p.network.background, p.network, routes, nic_latencies_of(p));
    std::erase_if(overloads, [](const OfferedLoad& load) { return load.offered <= load.carried; });
    if (overloads.empty()) return std::nullopt;
    const auto excess = [](const OfferedLoad& load) { return load.offered / load.carried; };
    const OfferedLoad& most = *std::ranges::max_element(overloads, {}, excess);
    return fmt::format(
        "background traffic overloads {}: it is offered {:.4g} Gbit/s and carries {:.4g}; what waits for it grows as "
        "long "
        "as the run lasts, so that completion times depend on that; lower network.background.load to {:.3g} for a "
        "steady state",
        overloads.size() == 1
            ? routes.topology().edge_name(most.edge)
            : fmt::format("{} links, most of all {}", overloads.size(), routes.topology().edge_name(most.edge)),
        most.offered, most.carried, p.network.background->load / excess(most));
}

/// The path of each flow, each pair of ranks once, with the tree's paths where switches add.
std::vector<std::span<const Hop>> paths_of(const Parameters& p, const Routes& routes,
                                           const std::optional<AggregationTree>& tree) {
    auto pairs = flows_of(p, routes.topology());
    if (has_background(p)) {
        const auto others = BackgroundReceivers(*p.network.background, p.ranks).pairs();
        pairs.insert(pairs.end(), others.begin(), others.end());
    }
    std::ranges::sort(pairs);
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    std::vector<std::span<const Hop>> paths;
    paths.reserve(pairs.size());
    for (const auto& [from, to] : pairs) paths.push_back(routes.path(from, to));
    if (!tree) return paths;
    for (const auto* ways : {&tree->up, &tree->down})
        for (const auto& way : *ways)
            if (!way.empty()) paths.emplace_back(way);
    return paths;
}

std::optional<std::string> note_on_credits(const Parameters& p, const Routes& routes) {
    const NetworkParams& network = p.network;
    if (!std::holds_alternative<CreditParams>(network.flow_control.params) || input_queued(network))
        return std::nullopt;
    std::optional<AggregationTree> tree;
    if (std::holds_alternative<InNetworkParams>(p.collective.params)) tree = aggregation_tree(routes.topology());
    const IslandParams* islands = island_params_in(p.collective);
    const bool add = islands != nullptr ? islands->inside == InsideIsland::island_switch
                                        : nccl_in(p) != nullptr && nccl_in(p)->by_switches();
    if (add && routes.topology().island > 1) tree = island_trees(routes.topology());
    const auto limits = credit_limits(routes.topology(), paths_of(p, routes, tree), network, nic_latencies_of(p),
                                      network.packet + network.header);
    if (limits.empty()) return std::nullopt;
    const auto share = [](const CreditLimit& limit) { return limit.sustained / limit.offered; };
    const CreditLimit& worst = *std::ranges::min_element(limits, {}, share);
    const Bytes needed = std::ranges::max_element(limits, {}, &CreditLimit::needed)->needed;
    return fmt::format(
        "credits limit the rate of {}: its buffer of {} is less than rate x round trip and lets {:.4g} of {:.4g} "
        "Gbit/s "
        "through; it needs {}{}",
        limits.size() == 1
            ? routes.topology().edge_name(worst.edge)
            : fmt::format("{} links, most of all {}", limits.size(), routes.topology().edge_name(worst.edge)),
        to_text(worst.buffer), worst.sustained, worst.offered, to_text(worst.needed),
        needed == worst.needed ? "" : fmt::format(", and all links need {}", to_text(needed)));
}

}   // namespace

std::vector<std::string> notes_on(const Parameters& p, const Routes& routes) {
    std::vector<std::string> notes;
    if (p.scale > 1)
        notes.push_back(
            fmt::format("scale: each value stands for {}; links, buffers, packets, DMA, GPU memory, lanes and adders "
                        "are divided by it, latencies are not; bytes are those of the small gradient",
                        p.scale));
    if (p.payload == Payload::synthetic)
        notes.emplace_back(
            "payload synthetic: neither values nor bytes; times and sizes alone, nothing was summed and no sum "
            "checked");
    if (const std::uint32_t ranks = simulated_ranks(p); ranks < p.ranks)
        notes.push_back(fmt::format(
            "folding: nothing distinguishes the {} ranks, and {} stand for all: rank r does what rank r mod "
            "{} does; links are those of the {}",
            p.ranks, ranks, ranks, ranks));
    if (p.payload == Payload::size_only)
        notes.emplace_back(
            "payload size_only: sizes computed, bytes not made; sums are those of the values alone, no coder was "
            "checked");
    if (p.network.faults && p.network.faults->any())
        notes.emplace_back("network.faults: packets were damaged, lost, doubled or swapped on purpose");
    if (p.tuner) notes.push_back(note_on_tuning(p));
    if (nccl_in(p) != nullptr) notes.push_back(note_on_nccl(p));
    if (!p.nodes.empty()) notes.push_back(note_on_nodes(p));
    if (input_queued(p.network) != nullptr) notes.push_back(note_on_routers(p.network));
    if (has_background(p)) notes.push_back(note_on_background(p));
    if (auto note = note_on_overload(p, routes)) notes.push_back(*note);
    if (auto note = note_on_credits(p, routes)) notes.push_back(*note);
    if (auto note = note_on_island_links(p, routes.topology())) notes.push_back(*note);
    if (auto note = note_on_islands_of_collective(p, routes.topology())) notes.push_back(*note);
    if (auto note = note_on_ring_of_islands(p, routes.topology())) notes.push_back(*note);
    if (auto note = note_on_rails(p, routes)) notes.push_back(*note);
    if (auto note = note_on_engine_kind(p)) notes.push_back(*note);
    if (auto note = note_on_order_of_flows(p)) notes.push_back(*note);
    if (auto note = note_on_schedule_file(p)) notes.push_back(*note);
    if (auto note = note_on_timeout(p, routes)) notes.push_back(*note);
    for (std::string& note : notes_on_lossy(p)) notes.push_back(std::move(note));
    for (std::string& note : notes_on_technology(p)) notes.push_back(std::move(note));
    return notes;
}

}   // namespace oscar
