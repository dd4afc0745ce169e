#include "sim/experiment/tuner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "models/predict/predictors.hpp"
#include "sim/report/text_table.hpp"

namespace oscar {
namespace {

/// What a tuned machine takes from NCCL.
struct Tuned {
    Collective collective;
    Time base;
    NcclHop hop;
    Bandwidth rate;
};

Tuned ring_machine(const Parameters& p, NcclProtocol protocol) {
    RingParams steps;
    steps.issue = Issue::dependency;
    const NcclRing ring = ring_of(*p.tuner, p.ranks, protocol);
    return {steps, ring.base, ring.hop, rate_of(protocol, p.tuner->bandwidth)};
}

Tuned tree_machine(const Parameters& p, NcclProtocol protocol) {
    DoubleBinaryTreeParams steps;
    steps.issue = Issue::dependency;
    steps.slices = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(tree_chunks(*p.tuner, p.ranks, protocol, *p.size), most_slices));
    steps.island = p.tuner->ranks_per_node;
    const NcclTree tree = tree_of(*p.tuner, protocol, *p.size);
    return {steps, tree.base, tree.hop, tree.rate};
}

bool several_nodes(const Parameters& p) { return p.tuner->ranks_per_node != 0 && p.tuner->ranks_per_node < p.ranks; }

/// A hop's latency, shared among its links.
Time per_link(Time hop, std::int64_t links) { return {hop.ps / links}; }

/// One node: all ranks on a switch, or each cabled to the next.
void set_links_of_a_node(const Experiment& experiment, const NcclHop& hop, LinkParams& link) {
    const auto& topology = experiment.parameters.network.topology.params;
    if (std::holds_alternative<StarParams>(topology)) link.propagation = per_link(hop.node, 2);
    else if (std::holds_alternative<CableRingParams>(topology)) link.propagation = hop.node;
    else
        experiment.source.child("network")
            .child("topology")
            .fail("a tuner of one node knows hops of star and ring; choose one of them");
}

/// Islands are nodes: two links a hop, those of the island inside and those of the NICs between nodes.
void set_links_between_nodes(Experiment& experiment, const NcclHop& hop, Bandwidth rate) {
    NetworkParams& network = experiment.parameters.network;
    auto* islands = std::get_if<IslandsParams>(&network.topology.params);
    if (islands == nullptr || islands->island != experiment.parameters.tuner->ranks_per_node || islands->rails)
        experiment.source.child("network")
            .child("topology")
            .fail(fmt::format(
                "a tuner of several nodes has hops of two latencies; write {{kind: hierarchical, island: {}, "
                "rails: false}}",
                experiment.parameters.tuner->ranks_per_node));
    islands->island_link.bandwidth = rate;
    islands->island_link.propagation = per_link(hop.node, 2);
    network.link.propagation = per_link(hop.network, 2);
}

void check(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    if (p.payload != Payload::raw)
        experiment.source.child("tuner").fail("NCCL chooses by size, which payload raw has; set payload: raw");
    if (experiment.source.find("collective") != nullptr)
        experiment.source.child("collective").fail("the tuner chooses; leave it out, or leave out tuner");
}

NcclChoice choice_for(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    try {
        return fastest_choice(*p.tuner, p.ranks, *p.size);
    } catch (const std::invalid_argument& error) {
        experiment.source.child("tuner").fail(error.what());
    }
}

}   // namespace

void tune(Experiment& experiment) {
    Parameters& p = experiment.parameters;
    if (!p.tuner) return;
    check(experiment);
    const NcclChoice choice = choice_for(experiment);
    const bool ring = choice.algorithm == NcclAlgorithm::ring;
    const Tuned tuned = ring ? ring_machine(p, choice.protocol) : tree_machine(p, choice.protocol);
    p.collective = tuned.collective;
    p.gpu.launch = p.tuner->launch + tuned.base;
    p.network.link.bandwidth = tuned.rate;
    if (several_nodes(p)) set_links_between_nodes(experiment, tuned.hop, tuned.rate);
    else set_links_of_a_node(experiment, tuned.hop, p.network.link);
}

std::string note_on_tuning(const Parameters& p) {
    const NcclChoice choice = fastest_choice(*p.tuner, p.ranks, *p.size);
    return fmt::format("tuner: {} expected to take {} us; simulated is {}", choice.predicted.name,
                       microseconds(choice.predicted.time.ps), choice.predicted.name);
}

}   // namespace oscar
