// A node: a GPU and the NIC before it, with its engine.
#pragma once

#include <vector>

#include "models/engine/engine_params.hpp"
#include "models/nic/gpu_params.hpp"
#include "models/nic/nic_params.hpp"

namespace oscar::inline nic {

/// The parameters of a node's parts.
struct NodeParams {
    GpuParams gpu;
    NicParams nic;
    EngineParams engine;
};

/// [rank] of a machine; they may differ in anything but what is visible in the bytes (EngineParams::framing).
using Nodes = std::vector<NodeParams>;

}   // namespace oscar::inline nic
