// Switch microarchitecture: output-queued or input-queued.
#pragma once

#include "models/core/kinds.hpp"
#include "models/network/params/router_params.hpp"

namespace oscar {

struct OutputQueuedParams {
    static constexpr auto fields() { return Entries{}; }
};

inline constexpr auto switch_architectures = Entries{
    kind<OutputQueuedParams>("output_queued", "cut-through switches with a queue per input at each output"),
    kind<InputQueuedParams>("input_queued", "mesh and torus: virtual-channel routers with iSLIP, cycle by cycle"),
};
using SwitchArchitecture = OneOf<switch_architectures>;

}   // namespace oscar
