// Modules of a user's own in the place of the supplied ones, and the waveform that records signals.
#pragma once

#include "models/machine/base/waveform.hpp"
#include "models/machine/node/engine_module.hpp"
#include "models/machine/node/gpu_memory.hpp"
#include "models/machine/router/make_router.hpp"
#include "models/machine/switch/make_switch.hpp"

namespace oscar {

/// An empty function stands for the supplied module.
struct MachineParts {
    MakeSwitch make_switch = {};          ///< at fidelity flit, where switches queue at their outputs
    MakeRouter make_router = {};          ///< at fidelity flit, where they are input-queued routers
    MakeGpuMemory make_gpu_memory = {};   ///< of each node; its DMA then moves each block by a transaction
    MakeEngine make_engine = {};          ///< of each node
    Waveform* waveform = nullptr;         ///< at fidelity flit; it must outlive the machine
};

}   // namespace oscar
