#include "sim/tuner.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "models/predict/predictors.hpp"
#include "sim/report/text_table.hpp"

namespace oscar {
namespace {

/// Links that a message crosses from one rank to its neighbour, all of one node.
std::uint32_t links_of_a_hop(const Experiment& experiment) {
    const auto& topology = experiment.parameters.network.topology.params;
    if (std::holds_alternative<StarParams>(topology)) return 2;
    if (std::holds_alternative<CableRingParams>(topology)) return 1;
    experiment.source.child("network")
        .child("topology")
        .fail("a tuner knows hops of star and ring; choose one of them");
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
        return fastest_ring(*p.tuner, p.ranks, *p.size);
    } catch (const std::invalid_argument& error) {
        experiment.source.child("tuner").fail(error.what());
    }
}

}   // namespace

void tune(Experiment& experiment) {
    Parameters& p = experiment.parameters;
    if (!p.tuner) return;
    check(experiment);
    const NcclProtocol protocol = choice_for(experiment).protocol;
    const NcclRing ring = ring_of(*p.tuner, p.ranks, protocol);
    if (ring.network_hops > 0)
        experiment.source.child("tuner").fail(
            "a ring between nodes has links of two latencies; name as many "
            "ranks_per_node as there are ranks");
    RingParams steps;
    steps.issue = Issue::dependency;
    p.collective = steps;
    p.gpu.launch = p.tuner->launch + ring.base;
    p.network.link.bandwidth = rate_of(protocol, p.tuner->bandwidth);
    p.network.link.propagation = {ring.hop.node.ps / links_of_a_hop(experiment)};
}

std::string note_on_tuning(const Parameters& p) {
    const NcclChoice choice = fastest_ring(*p.tuner, p.ranks, *p.size);
    const auto all = predictions(*p.tuner, p.ranks, *p.size);
    return fmt::format("tuner: {} expected to take {} us, {} to be the fastest; simulated is {}", choice.predicted.name,
                       microseconds(choice.predicted.time.ps), fastest(all).name, choice.predicted.name);
}

}   // namespace oscar
