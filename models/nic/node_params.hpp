// Parameters of a node: a GPU and the NIC before it, with its engine.
#pragma once

#include <vector>

#include "models/engine/engine_params.hpp"
#include "models/gpu/gpu_params.hpp"
#include "models/nic/nic_params.hpp"

namespace oscar {

/// The parameters of a node's parts.
struct NodeParams {
    GpuParams gpu;
    NicParams nic;
    EngineParams engine;
};

/// [rank] of a machine; they may differ in anything but what is visible in the bytes (EngineParams::framing).
using Nodes = std::vector<NodeParams>;

/// [rank]: the GPUs of nodes.
inline std::vector<GpuParams> gpus_of(const Nodes& nodes) {
    std::vector<GpuParams> gpus;
    for (const NodeParams& node : nodes) gpus.push_back(node.gpu);
    return gpus;
}
/// [rank]: the engines of nodes.
inline std::vector<EngineParams> engines_of(const Nodes& nodes) {
    std::vector<EngineParams> engines;
    for (const NodeParams& node : nodes) engines.push_back(node.engine);
    return engines;
}

}   // namespace oscar
