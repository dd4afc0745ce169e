// Modules of a user's own in the place of ours, and what watches them.
#pragma once

#include "models/machine/flit/make_switch.hpp"
#include "models/machine/node/engine_module.hpp"
#include "models/machine/node/gpu_memory.hpp"
#include "models/machine/waveform.hpp"

namespace oscar {

/// What is exchanged or watched. An empty function: ours.
struct MachineParts {
    MakeSwitch make_switch = {};          ///< at fidelity flit, where switches queue at their outputs
    MakeGpuMemory make_gpu_memory = {};   ///< of each node; its DMA then moves each block by a transaction
    MakeEngine make_engine = {};          ///< of each node
    Waveform* waveform = nullptr;         ///< at fidelity flit; it must outlive the machine
};

}   // namespace oscar
