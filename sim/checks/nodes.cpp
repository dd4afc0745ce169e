#include "sim/checks/nodes.hpp"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "sim/checks/ranks.hpp"

namespace oscar {
namespace {

/// A rank's engine differs from the others' in fields marked per_rank only.
void check_engine(const ConfigNode& node, const EngineParams& own, const EngineParams& others) {
    std::vector<std::string_view> per_rank;
    for_each_field<EngineParams>([&](const auto& field) {
        if (field.per_rank) per_rank.push_back(field.key);
    });
    for_each_field<EngineParams>([&](const auto& field) {
        if (field.per_rank || own.*field.member == others.*field.member) return;
        node.child("engine").child(field.key).fail(
            fmt::format("all ranks must have the same; choose among {}", fmt::join(per_rank, ", ")));
    });
}

void check_timing(const ConfigNode& node, const NodeChange& change, bool step) {
    if (step && change.start_delay != Time{})
        node.child("start_delay")
            .fail("all ranks begin a step together; write slowdown: 1.2 for one that computes longer");
    if (!step && change.slowdown != 1)
        node.child("slowdown").fail("applies to training steps only; leave it out, or add step");
}

}   // namespace

void check_nodes(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    std::vector<bool> spoken_of(p.ranks);
    for (std::size_t i = 0; i < p.nodes.size(); ++i) {
        const ConfigNode node = experiment.source.child("nodes").child(std::to_string(i));
        check_ranks(node.child("ranks"), p.nodes[i].ranks, spoken_of);
        check_engine(node, p.nodes[i].engine, p.engine);
        check_timing(node, p.nodes[i], p.step.has_value());
    }
}

}   // namespace oscar
