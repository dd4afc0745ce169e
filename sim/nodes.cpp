#include "sim/nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "sim/config/echo.hpp"
#include "sim/config/read.hpp"

namespace oscar {
namespace {

struct RankRange {
    std::uint32_t first = 0, last = 0;
};

/// "5" or "4-7".
std::optional<RankRange> range_of(std::string_view text) {
    const char *const begin = text.data(), *const end = begin + text.size();
    RankRange range;
    const auto first = std::from_chars(begin, end, range.first);
    if (first.ec != std::errc{}) return std::nullopt;
    range.last = range.first;
    if (first.ptr == end) return range;
    if (*first.ptr != '-') return std::nullopt;
    const auto last = std::from_chars(first.ptr + 1, end, range.last);
    if (last.ec != std::errc{} || last.ptr != end || range.last < range.first) return std::nullopt;
    return range;
}

/// Calls f(rank) for each rank of an entry.
template <class F>
void for_each_rank(const NodeChange& change, F&& f) {
    for (const std::string& text : change.ranks) {
        const RankRange range = range_of(text).value();
        for (std::uint32_t rank = range.first; rank <= range.last; ++rank) f(rank);
    }
}

/// Marks the ranks of an entry as spoken of.
void check_ranks(const ConfigNode& node, const NodeChange& change, std::vector<bool>& spoken_of) {
    const ConfigNode ranks = node.child("ranks");
    if (change.ranks.empty()) ranks.fail("names no rank; write it like [0, 4-7]");
    for (std::size_t i = 0; i < change.ranks.size(); ++i) {
        const ConfigNode entry = ranks.child(std::to_string(i));
        const auto range = range_of(change.ranks[i]);
        if (!range)
            entry.fail("'" + change.ranks[i] + "' is neither a rank nor a range of ranks; write it like 5 or 4-7");
        if (range->last >= spoken_of.size())
            entry.fail(fmt::format("there is no rank {}; choose 0 to {}", range->last, spoken_of.size() - 1));
        for (std::uint32_t rank = range->first; rank <= range->last; ++rank) {
            if (spoken_of[rank])
                entry.fail(fmt::format("rank {} was named before; say all that differs of it in one place", rank));
            spoken_of[rank] = true;
        }
    }
}

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
        check_ranks(node, change, spoken_of);
        check_engine(node, change.engine, p.engine);
        check_timing(node, change, p.step.has_value());
    }
}

Nodes nodes_of(const Parameters& p) {
    Nodes nodes(p.ranks, NodeParams{p.gpu, p.nic, p.engine});
    for (const NodeChange& change : p.nodes)
        for_each_rank(change, [&](std::uint32_t rank) { nodes[rank] = {change.gpu, change.nic, change.engine}; });
    return nodes;
}

std::vector<Time> lateness_of(const Parameters& p) {
    std::vector<Time> late(p.ranks);
    for (const NodeChange& change : p.nodes)
        for_each_rank(change, [&](std::uint32_t rank) { late[rank] = change.late; });
    return late;
}

double slowdown_of(const Parameters& p) {
    std::vector<double> slowdown(p.ranks, 1);
    for (const NodeChange& change : p.nodes)
        for_each_rank(change, [&](std::uint32_t rank) { slowdown[rank] = change.slowdown; });
    return *std::ranges::max_element(slowdown);
}

std::string note_on_nodes(const Parameters& p) {
    std::vector<std::string> entries;
    for (const NodeChange& change : p.nodes)
        entries.push_back(fmt::format("rank {}: {}", fmt::join(change.ranks, ", "), differences(change, p)));
    return fmt::format("nodes differ: {}", fmt::join(entries, "; "));
}

bool has_closed_form(const Parameters& p) { return p.nodes.empty() || issue_of(p.collective) == Issue::lock_step; }

std::vector<Machine> machines_of(const Nodes& nodes, const Routes& routes, const NetworkParams& network,
                                 const SideReads& side) {
    std::vector<Machine> machines;
    machines.reserve(nodes.size());
    for (const NodeParams& node : nodes) machines.push_back({routes, network, node.gpu, node.nic, node.engine, side});
    return machines;
}

}   // namespace oscar
