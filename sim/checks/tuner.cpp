#include "sim/checks/tuner.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "models/predict/predictors.hpp"
#include "sim/parameters/tuner.hpp"

namespace oscar {
namespace {

/// One node: all ranks on a switch, or each cabled to the next.
void check_links_of_a_node(const Experiment& experiment) {
    const auto& topology = experiment.parameters.network.topology.params;
    if (!std::holds_alternative<StarParams>(topology) && !std::holds_alternative<CableRingParams>(topology))
        experiment.source.child("network")
            .child("topology")
            .fail("a tuner of one node knows hops of star and ring; choose one of them");
}

/// Islands are nodes.
void check_links_between_nodes(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    const auto* islands = std::get_if<IslandsParams>(&p.network.topology.params);
    if (islands == nullptr || islands->island != p.tuner->ranks_per_node || islands->rails)
        experiment.source.child("network")
            .child("topology")
            .fail(fmt::format(
                "a tuner of several nodes has hops of two latencies; write {{kind: hierarchical, island: {}, "
                "rails: false}}",
                p.tuner->ranks_per_node));
}

}   // namespace

void check_tuner(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    if (!p.tuner) return;
    if (p.payload != Payload::synthetic)
        experiment.source.child("tuner").fail(
            "NCCL chooses by size, which payload synthetic has; set payload: synthetic");
    if (experiment.source.find("collective") != nullptr)
        experiment.source.child("collective").fail("the tuner chooses; leave it out, or leave out tuner");
    try {
        fastest_choice(*p.tuner, p.ranks, *p.size);
    } catch (const std::invalid_argument& error) {
        experiment.source.child("tuner").fail(error.what());
    }
}

void check_tuner_topology(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    if (!p.tuner) return;
    if (has_several_nodes(*p.tuner, p.ranks)) check_links_between_nodes(experiment);
    else check_links_of_a_node(experiment);
}

}   // namespace oscar
