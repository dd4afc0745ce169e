#include "sim/checks/nccl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "sim/parameters/nccl.hpp"

namespace oscar {
namespace {

void check_operation_of_nccl(const Experiment& experiment) {
    try {
        performed(*nccl_in(experiment.parameters));
    } catch (const std::invalid_argument& error) {
        experiment.source.child("collective").fail(error.what());
    }
}

const IslandsParams* nodes_in(const Parameters& p) { return std::get_if<IslandsParams>(&p.network.topology.params); }

/// By NCCL's constants, of a step inside a node.
Time saved_by_ll() {
    return hop_of(NcclRelease::v2_8, NcclAlgorithm::ring, NcclProtocol::simple).node -
           hop_of(NcclRelease::v2_28, NcclAlgorithm::ring, NcclProtocol::ll).node;
}

void check_nodes_of_nccl(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    const ConfigNode topology = experiment.source.child("network").child("topology");
    const IslandsParams* nodes = nodes_in(p);
    if (nodes == nullptr && !std::holds_alternative<StarParams>(p.network.topology.params))
        topology.fail(fmt::format(
            "NCCL's rings and trees go over nodes, which {} does not have; write {{kind: hierarchical, island: 8}} "
            "with gpu.island_port, or star for nodes of one GPU",
            p.network.topology.name()));
    if (nodes == nullptr || nodes->island == 1) return;
    if (!p.gpu.island_port)
        experiment.source.child("gpu")
            .child("island_port")
            .fail(
                "is missing, and collective: nccl sends inside nodes by ports of GPUs; take base: nvlink-4, or "
                "write its bandwidth and latency");
    const Time saved = saved_by_ll();
    if (p.gpu.island_port->latency < saved)
        experiment.source.child("gpu")
            .child("island_port")
            .child("latency")
            .fail(fmt::format(
                "{} are less than the {} that protocol LL saves of a step on NVLink: they are not NCCL's; take base: "
                "nvlink-3, nvlink-4 or nvlink-5, or another collective",
                to_text(p.gpu.island_port->latency), to_text(saved)));
    if (p.ranks > nodes->island && p.ranks % nodes->island != 0)
        experiment.source.child("ranks").fail(
            fmt::format("{} ranks do not fill nodes of {}, as collective: nccl needs; choose {}", p.ranks,
                        nodes->island, p.ranks / nodes->island * nodes->island));
}

/// Between nodes NCCL's kernels add, and its proxy drives the NICs.
void check_network_of_nccl(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    if (nodes_in(p) != nullptr && p.ranks <= nodes_in(p)->island) return;
    if (p.gpu.staging != Staging::gpu)
        experiment.source.child("gpu").child("staging").fail(
            "collective: nccl has GPUs add what NICs receive; write staging: gpu (NICs that add by themselves are "
            "another machine: collective: hierarchical or ring)");
    if (p.nic.message_latency == Time{})
        experiment.source.child("nic")
            .child("message_latency")
            .fail(
                "is 0, so that no protocol is quicker than another; take a NIC by base, like connectx-7, or write "
                "what a message costs, like 6.7us");
}

void check_methods_of_nccl(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    for (std::size_t i = 0; i < p.methods.size(); ++i) {
        const Method& method = p.methods[i];
        const bool floats = std::holds_alternative<Fp32Params>(method.codec.params) ||
                            std::holds_alternative<Bf16Params>(method.codec.params);
        if (!floats || method.lossy)
            experiment.source.child("methods")
                .child(std::to_string(i))
                .fail(fmt::format(
                    "collective: nccl sends fp32 and bf16 as they are, and {} is neither; run it in a file of its "
                    "own with another collective, and compare the two",
                    method.name));
    }
}

}   // namespace

void check_nccl(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    const auto chooses = [](const Collective& collective) {
        return std::holds_alternative<NcclCollectiveParams>(collective.params);
    };
    const bool of_a_job =
        std::ranges::any_of(p.jobs, [&](const JobParams& job) { return job.collective && chooses(*job.collective); });
    if (of_a_job || (chooses(p.collective) && !p.jobs.empty()))
        experiment.source.child("jobs").fail(
            "collective: nccl chooses for one job on all ranks; choose another collective, or leave out jobs");
    if (!chooses(p.collective)) return;
    check_operation_of_nccl(experiment);
    check_methods_of_nccl(experiment);
    check_nodes_of_nccl(experiment);
    check_network_of_nccl(experiment);
}

}   // namespace oscar
