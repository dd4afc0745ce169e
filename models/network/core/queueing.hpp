// The family of what stands where links meet.
#pragma once

#include "models/core/kinds.hpp"
#include "models/network/router/params.hpp"

namespace oscar {

struct OutputQueuedParams {
    static constexpr auto fields() { return std::tuple{}; }
};

inline constexpr auto queueings = std::tuple{
    kind<OutputQueuedParams>("output_queued", "switches with a queue per input at each output, as network.switch says"),
    kind<InputQueuedParams>("input_queued", "mesh and torus: virtual-channel routers with iSLIP, cycle by cycle"),
};
using Queueing = OneOf<queueings>;

}   // namespace oscar
