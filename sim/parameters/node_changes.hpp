// Nodes that differ from the others: stragglers, other GPUs, slower engines.
#pragma once

#include <string>
#include <vector>

#include "models/core/fields.hpp"
#include "models/engine/engine_params.hpp"
#include "models/gpu/gpu_params.hpp"
#include "models/nic/nic_params.hpp"

namespace oscar {

/// Ranks that differ from the others; whatever an entry leaves out is as for all. `ranks`: numbers and ranges, like "5"
/// and "4-7".
struct NodeChange {
    std::vector<std::string> ranks;
    GpuParams gpu;
    NicParams nic;
    EngineParams engine;
    Time start_delay;
    double slowdown = 1;
    static constexpr auto fields() {
        return Entries{
            field("ranks", &NodeChange::ranks, "ranks that differ, as numbers and ranges like [0, 4-7]"),
            field("gpu", &NodeChange::gpu, "changes to the experiment's values"),
            field("nic", &NodeChange::nic, "changes to the experiment's values"),
            field("engine", &NodeChange::engine,
                  "changes to the experiment's clock, intervals, latencies, search, table_update and table_load; "
                  "whatever "
                  "shows in the bytes is equal at all ranks"),
            field("start_delay", &NodeChange::start_delay, "additional start delay, besides start_jitter", 0_ps,
                  1000_ms),
            field("slowdown", &NodeChange::slowdown,
                  "factor on the times of forward, backward and optimiser (with a step); the slowest rank decides",
                  0.01, 1000.0),
        };
    }
};

}   // namespace oscar
