// collective: nccl: the choice of NCCL's tuner on the machine of an experiment, and what its kernels do to the nodes.
#pragma once

#include <cstdint>
#include <optional>

#include "models/codec/message/line_codec.hpp"
#include "models/nic/node_params.hpp"
#include "models/predict/nccl_tuner.hpp"
#include "sim/parameters/parameters.hpp"

namespace oscar {

/// The collective if it is nccl; else null.
const NcclCollectiveParams* nccl_in(const Parameters& parameters);

/// The machine as NCCL's tuner (release 2.28) sees it. Nodes are the topology's islands, or single ranks where it has
/// none. The bandwidth is that of the slower of NVLink and a node's NICs together, without packet headers; LL128 is
/// used between nodes, too, as NCCL does where a NIC is near its GPU (typeInter <= PATH_PXB in graph/tuning.cc,
/// PATH_PXN since compute capability 9.0). Its NVSwitches add where network.switch.aggregator is written: on NVLink 5
/// as Blackwell's from 500 GB/s a port on, else as Hopper's.
NcclParams tuner_of(const Parameters& parameters);

/// The candidate for `bytes`: the fastest one of the algorithms and protocols that the collective allows. Throws
/// std::invalid_argument if none is left, with a whole sentence. Precondition: nccl_in().
NcclChoice nccl_choice(const Parameters& parameters, Bytes bytes);

/// The bytes of `values` values by the method with the widest ones.
Bytes widest_bytes(const Parameters& parameters, std::uint64_t values);

/// Fills in algorithm and protocol, and what follows from them: a channel for each NIC of a node, each of which begins
/// the node at another of its ranks; for trees the slices that chunks of NCCL make, at least 4 KiB each and at most
/// 64; for NVLS and NVLSTree one channel, whose parts are those of all NICs, with the slices of nvls_chunks(), at most
/// 128. Does nothing for other collectives. Throws as nccl_choice().
void choose_nccl(Parameters& parameters, Bytes bytes);

/// The same for so many values. ConfigError at `collective`.
void choose_nccl(Experiment& experiment, std::uint64_t values);
/// The same for the largest bucket of an experiment without a trace; where there is a trace, only what the choice
/// needs: whether NVSwitches add, and that a sharded step reduce-scatters.
void choose_nccl(Experiment& experiment);

/// The node as the kernels of the chosen algorithm and protocol use it; itself for other collectives. A launch takes
/// NCCL's base latency, too. Messages take as much less than those of Simple on a ring as tuning.cc says, from which
/// configs/parts have their latencies, down to 0; those of Simple take what the parts say. Kernels hand over no more
/// than the tuner counts (rate_of): those of a tree to all NICs of a node, which share it, and of two nodes to a port,
/// too, since most bytes pass ports there; those of a ring the protocol's part of what NICs and ports carry. Of a ring
/// over several nodes each step takes the time that the tuner counts for it: a message inside a node passes at the rate
/// of its channel between nodes, and takes so much longer. With NVLS ports and switches have what their parts say; with
/// NVLSTree NICs have no more than the tuner counts.
NodeParams with_kernels_of_nccl(NodeParams node, const Parameters& parameters);

/// The lines of a method's messages, of nccl and direct; none for Simple and other collectives.
std::optional<LineFormat> lines_of(const Parameters& parameters);

}   // namespace oscar
