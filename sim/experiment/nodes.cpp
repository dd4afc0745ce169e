#include "sim/experiment/nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "models/network/transport/network.hpp"
#include "sim/experiment/background.hpp"
#include "sim/config/echo.hpp"
#include "sim/config/read.hpp"
#include "sim/experiment/rank_ranges.hpp"

namespace oscar {
namespace {

/// What a rank's engine may have of its own.
constexpr std::array own_of_engine{"clock",          "encode_interval", "decode_interval",
                                   "encode_latency", "decode_latency",  "search"};

void check_engine(const ConfigNode& node, const EngineParams& own, const EngineParams& others) {
    for_each_field<EngineParams>([&](const auto& field) {
        if (std::ranges::find(own_of_engine, field.key) != own_of_engine.end()) return;
        if (own.*field.member == others.*field.member) return;
        node.child("engine").child(field.key).fail(
            fmt::format("all ranks must have the same; choose among {}", fmt::join(own_of_engine, ", ")));
    });
}

void check_timing(const ConfigNode& node, const NodeChange& change, bool step) {
    if (step && change.late != Time{})
        node.child("late").fail("all ranks begin a step together; write slowdown: 1.2 for one that computes longer");
    if (!step && change.slowdown != 1)
        node.child("slowdown").fail("is of the computation of a step; leave it out, or say what a step is");
}

/// "gpu.dma_bandwidth 50Gbps" for all keys in which the two differ.
template <FieldTable P>
void add_differences(std::string_view prefix, const P& own, const P& others, std::vector<std::string>& list) {
    for_each_field<P>([&](const auto& field) {
        if (own.*field.member != others.*field.member)
            list.push_back(fmt::format("{}.{} {}", prefix, field.key, plain_text(own.*field.member)));
    });
}

std::string differences(const NodeChange& change, const Parameters& p) {
    std::vector<std::string> list;
    add_differences("gpu", change.gpu, p.gpu, list);
    add_differences("nic", change.nic, p.nic, list);
    add_differences("engine", change.engine, p.engine, list);
    if (change.late != Time{}) list.push_back("late " + plain_text(change.late));
    if (change.slowdown != 1) list.push_back("slowdown " + plain_text(change.slowdown));
    return list.empty() ? "nothing" : fmt::format("{}", fmt::join(list, ", "));
}

}   // namespace

void resolve_nodes(Experiment& experiment) {
    Parameters& p = experiment.parameters;
    std::vector<bool> spoken_of(p.ranks);
    for (std::size_t i = 0; i < p.nodes.size(); ++i) {
        const ConfigNode node = experiment.source.child("nodes").child(std::to_string(i));
        NodeChange& change = p.nodes[i];
        change.gpu = p.gpu;
        change.nic = p.nic;
        change.engine = p.engine;
        read(node, change);
        check_ranks(node.child("ranks"), change.ranks, spoken_of);
        check_engine(node, change.engine, p.engine);
        check_timing(node, change, p.step.has_value());
    }
}

Nodes nodes_of(const Parameters& p) {
    Nodes nodes(p.ranks, NodeParams{p.gpu, p.nic, p.engine});
    for (const NodeChange& change : p.nodes)
        for (const Rank rank : ranks_in(change.ranks)) nodes[rank.value] = {change.gpu, change.nic, change.engine};
    return nodes;
}

std::vector<Time> nic_latencies_of(const Parameters& p) {
    std::vector<Time> latencies;
    for (const NodeParams& node : nodes_of(p)) latencies.push_back(node.nic.latency);
    return latencies;
}

std::vector<Time> lateness_of(const Parameters& p) {
    std::vector<Time> late(p.ranks);
    for (const NodeChange& change : p.nodes)
        for (const Rank rank : ranks_in(change.ranks)) late[rank.value] = change.late;
    return late;
}

double slowdown_of(const Parameters& p) {
    std::vector<double> slowdown(p.ranks, 1);
    for (const NodeChange& change : p.nodes)
        for (const Rank rank : ranks_in(change.ranks)) slowdown[rank.value] = change.slowdown;
    return *std::ranges::max_element(slowdown);
}

std::string note_on_nodes(const Parameters& p) {
    std::vector<std::string> entries;
    for (const NodeChange& change : p.nodes)
        entries.push_back(fmt::format("rank {}: {}", fmt::join(change.ranks, ", "), differences(change, p)));
    return fmt::format("nodes differ: {}", fmt::join(entries, "; "));
}

bool has_closed_form(const Parameters& p) {
    if (has_background(p) || !is_plain(p.network)) return false;
    return p.nodes.empty() || issue_of(p.collective) == Issue::lock_step;
}

std::vector<NodeView> machines_of(const Nodes& nodes, const Routes& routes, const NetworkParams& network,
                                 const EngineMemoryTraffic& side) {
    std::vector<NodeView> machines;
    machines.reserve(nodes.size());
    for (const NodeParams& node : nodes) machines.push_back({routes, network, node.gpu, node.nic, node.engine, side});
    return machines;
}

}   // namespace oscar
