#include "sim/checks/background.hpp"

#include <fmt/format.h>

#include "models/network/traffic/background_pattern.hpp"
#include "models/network/transport/make_network.hpp"
#include "sim/checks/network.hpp"
#include "sim/checks/ranks.hpp"

namespace oscar {
namespace {

ConfigNode node_of(const Experiment& experiment) { return experiment.source.child("network").child("background"); }

[[noreturn]] void fail(BackgroundProblem problem, const BackgroundParams& params, std::uint32_t ranks,
                       const ConfigNode& node) {
    if (problem == BackgroundProblem::pattern_of_routers)
        node.child("pattern").fail(
            fmt::format("{} is a pattern of routers, for `oscar-sim traffic`; choose one of ranks: {}",
                        params.pattern.name(), patterns_for(PatternSenders::ranks)));
    if (problem == BackgroundProblem::tornado_of_two)
        node.child("pattern").fail("a tornado of two ranks would send to itself; choose another pattern, like uniform");
    const std::uint32_t to = std::get<IncastTrafficParams>(params.pattern.params).to;
    if (problem == BackgroundProblem::receiver_is_none)
        node.child("pattern").fail(fmt::format("there is no rank {}; write to: 0 to {}", to, ranks - 1));
    node.child("nodes").fail(fmt::format("all send to rank {}, which cannot; leave it out", to));
}

}   // namespace

void check_background(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    if (!p.network.background) return;
    const BackgroundParams& background = *p.network.background;
    std::vector<bool> named(p.ranks);
    if (!background.nodes.empty()) check_ranks(node_of(experiment).child("nodes"), background.nodes, named);
    if (const auto problem = find_problem(background, p.ranks))
        fail(*problem, background, p.ranks, node_of(experiment));
}

void check_background_ways(const CabledExperiment& cabled) {
    const Experiment& experiment = cabled.experiment;
    const Parameters& p = experiment.parameters;
    if (!has_background(p)) return;
    const Routes routes = routes_of(cabled);
    const auto check = [&](Rank from, Rank to, std::string_view whose) {
        if (!routes.path(from, to).empty()) return;
        node_of(experiment)
            .child("pattern")
            .fail(fmt::format("no path from rank {} to rank {} for {}; choose another pattern or nodes, or another "
                              "topology, such as star",
                              from.value, to.value, whose));
    };
    for (const auto& [from, to] : BackgroundReceivers(*p.network.background, p.ranks).pairs()) {
        check(from, to, "its messages");
        if (answers(p.network)) check(to, from, "answers to them");
    }
}

}   // namespace oscar
