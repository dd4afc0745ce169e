// The machine that NCCL's tuner describes, simulated: the ring or tree it would choose for a size, with the latencies
// and the rate of its protocol on the links.
#pragma once

#include "sim/parameters/parameters.hpp"

namespace oscar {

/// True if the ranks are on more than one node.
bool has_several_nodes(const NcclParams& tuner, std::uint32_t ranks);

/// Sets `collective` to a ring or a double binary tree over nodes whose steps wait for their data only, each link's
/// rate to what algorithm and protocol reach, the slices of a tree to NCCL's chunks (`slices` holds up to 256 of them),
/// the propagation of the links between two ranks to one hop of it, inside a node or between nodes, and gpu.launch to
/// its launch and base. Latencies of NIC, switch and DMA and packet headers stay as configured and come on top.
/// Precondition: a tuner and a size that check_tuner and check_tuner_topology (sim/checks/experiment.hpp) accept.
void tune(Parameters& parameters);

}   // namespace oscar
