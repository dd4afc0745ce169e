// Roofline parameters of a configured machine.
#pragma once

#include "models/collective/endpoint/plan.hpp"
#include "models/nic/node_params.hpp"
#include "models/predict/roofline.hpp"
#include "sim/parameters/parameters.hpp"

namespace oscar {

/// The default link, the slowest DMA and engine of `nodes`, and the bytes of `plan` in GPU memory. Both halves of a
/// collective overlap where `in_flight` staggers its slices. Bits on the wire keep the defaults of RooflineParams.
RooflineParams roofline_of(const Parameters& parameters, const Nodes& nodes, const Plan& plan);

}   // namespace oscar
