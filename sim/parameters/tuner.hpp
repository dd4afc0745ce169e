// The machine that NCCL's tuner describes, simulated: the ring or tree it would choose for a size, with the latencies
// and the rate of its protocol on the links.
#pragma once

#include <string>

#include "sim/experiment/parameters.hpp"

namespace oscar {

/// Sets `collective` to a ring or a double binary tree over nodes whose steps wait for their data only, each link's
/// rate to what algorithm and protocol reach, the slices of a tree to NCCL's chunks (`slices` holds up to 256 of them),
/// the propagation of the links between two ranks to one hop of it, inside a node or between nodes, and gpu.launch to
/// its launch and base. Latencies of NIC, switch and DMA and packet headers stay as configured and come on top. Does
/// nothing without `tuner`. ConfigError: the payload is not raw, a collective is named, or the topology has no such
/// hops.
void tune(Experiment& experiment);

/// What was chosen, and what the tuner itself expects. Precondition: a tuner.
std::string note_on_tuning(const Parameters& parameters);

}   // namespace oscar
