#include "sim/experiment/background.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/quantity.hpp"
#include "models/network/core/background_load.hpp"
#include "models/network/traffic/background_pattern.hpp"
#include "models/network/transport/network.hpp"
#include "sim/experiment/nodes.hpp"
#include "sim/experiment/rank_ranges.hpp"

namespace oscar {
namespace {

ConfigNode node_of(const Experiment& experiment) { return experiment.source.child("network").child("background"); }

}   // namespace

bool has_background(const Parameters& p) { return p.network.background && p.network.background->load > 0; }

void check_background(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    if (!p.network.background) return;
    const BackgroundParams& background = *p.network.background;
    std::vector<bool> named(p.ranks);
    if (!background.nodes.empty()) check_ranks(node_of(experiment).child("nodes"), background.nodes, named);
    if (const auto problem = find_problem(background, p.ranks)) node_of(experiment).child(problem->key).fail(problem->text);
}

void check_background_ways(const Experiment& experiment, const Routes& routes) {
    const Parameters& p = experiment.parameters;
    if (!has_background(p)) return;
    const auto check = [&](Rank from, Rank to, std::string_view whose) {
        if (!routes.path(from, to).empty()) return;
        node_of(experiment)
            .child("pattern")
            .fail(fmt::format("no way from rank {} to rank {} for {}; choose another pattern or nodes, or another "
                              "topology, such as star",
                              from.value, to.value, whose));
    };
    for (const auto& [from, to] : BackgroundReceivers(*p.network.background, p.ranks).pairs()) {
        check(from, to, "its messages");
        if (answers(p.network)) check(to, from, "answers to them");
    }
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

}   // namespace oscar
