#include "sim/checks/coding_place.hpp"

#include <fmt/format.h>

#include <string>

#include "models/gpu/coding_kernels.hpp"
#include "sim/config/text.hpp"

namespace oscar {
namespace {

void check_rates(const ConfigNode& gpu, const std::optional<CodingKernelParams>& coding) {
    const ConfigNode node = gpu.child("coding");
    if (!coding)
        node.fail(
            "is missing, and engine.place: gpu takes its speeds from there; take base: dietgpu-a100, or write encode "
            "and "
            "decode");
    for (const auto& [key, rates] : {std::pair{"encode", &coding->encode}, std::pair{"decode", &coding->decode}})
        if (const std::string problem = find_problem(*rates); !problem.empty())
            node.child(key).fail(problem + "; write the measured ones as [{values: 1048576, values_per_ns: 10}, ...]");
}

}   // namespace

void check_engine_place(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    if (p.engine.place == EnginePlace::nic) return;
    const ConfigNode engine = experiment.source.child("engine"), gpu = experiment.source.child("gpu");
    check_rates(gpu, p.gpu.coding);
    for (std::size_t i = 0; i < p.nodes.size(); ++i)
        check_rates(experiment.source.child("nodes").child(std::to_string(i)).child("gpu"), p.nodes[i].gpu.coding);
    if (p.gpu.staging != Staging::gpu)
        gpu.child("staging").fail(
            "a NIC cannot add what the GPU alone decodes (engine.place: gpu); write staging: gpu");
    if (p.engine.kind != EngineKind::pipelined)
        engine.child("kind").fail(fmt::format(
            "{} is an engine of the NIC, and place: gpu has none; leave out one of the two", to_text(p.engine.kind)));
    if (p.engine.technology)
        engine.child("technology").fail("is that of an engine of the NIC, and place: gpu has none; write null");
}

}   // namespace oscar
