// NCCL's choice of algorithm and protocol for a collective, by its own latency and bandwidth model.
// Source: NCCL src/graph/tuning.cc (base and hardware latencies, bandwidths, correction of trees).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/collective/algorithms/nccl/nccl.hpp"
#include "models/core/fields.hpp"
#include "models/core/units.hpp"
#include "models/predict/nccl_nvls.hpp"
#include "models/predict/predicted.hpp"

namespace oscar {

using namespace literals;

/// The releases of NCCL whose constants are there.
enum class NcclRelease : std::uint8_t { v2_8, v2_28 };
constexpr auto choices(NcclRelease) {
    return std::array{Choice{"2.8", NcclRelease::v2_8, "2.8 to 2.17"},
                      Choice{"2.28", NcclRelease::v2_28, "2.28; those since 2.18 differ little"}};
}

/// The machine as the tuner sees it. `launch` and `bandwidth` are the two figures that a machine is fitted with.
struct NcclParams {
    std::uint32_t ranks_per_node = 0;
    Time launch;
    Bandwidth bandwidth = 1600_Gbps;
    bool network_ll128 = false;
    std::uint32_t plateau_percent = 140;
    NcclRelease release = NcclRelease::v2_8;
    NcclHost host = NcclHost::intel;
    Operation operation = Operation::all_reduce;
    std::optional<NvlsGpus> nvls = {};
    Bandwidth nvlink = 2960_Gbps;
    static constexpr auto fields() {
        return Entries{
            field("ranks_per_node", &NcclParams::ranks_per_node, "ranks on one NVLink; 0: all ranks", 0u, 65535u),
            field("launch", &NcclParams::launch, "time of kernel launch and host, added to every AllReduce", 0_ps,
                  1_ms),
            field("bandwidth", &NcclParams::bandwidth, "bus bandwidth that Simple reaches over the slowest link",
                  1_Mbps, 100'000_Gbps),
            field("network_ll128", &NcclParams::network_ll128,
                  "network keeps 128 bytes together, as LL128 needs between nodes"),
            field("plateau_percent", &NcclParams::plateau_percent,
                  "latency of a Simple ring between nodes at its plateau, in percent; NCCL: 140 since compute "
                  "capability 8.0, else 190",
                  100u, 1000u),
            field("release", &NcclParams::release, "release of NCCL whose latencies and bandwidths hold"),
            field("host", &NcclParams::host, "processors of the hosts (release 2.28)"),
            field("operation", &NcclParams::operation, "all_reduce, reduce_scatter or all_gather"),
            field("nvls", &NcclParams::nvls,
                  "GPUs whose NVSwitches add (release 2.28); none: NVLS and NVLSTree are not considered"),
            field("nvlink", &NcclParams::nvlink, "rate of a GPU's port to those NVSwitches", 1_Mbps, 100'000_Gbps),
        };
    }
};

/// Latency of one hop of a ring or tree, without the bytes: within a node, and between nodes.
struct NcclHop {
    Time node, network;
};
/// The latencies of a hop by algorithm and protocol. Source: hardware latencies of tuning.cc (NVLINK, NET).
NcclHop hop_of(NcclRelease release, NcclAlgorithm algorithm, NcclProtocol protocol);

/// Latency of an AllReduce whatever it carries. Source: base latencies of tuning.cc.
Time base_of(NcclRelease release, NcclAlgorithm algorithm, NcclProtocol protocol);

/// A ring through all ranks: its latencies, whatever it carries. Simple between nodes pays the plateau on each.
struct NcclRing {
    Time base;
    NcclHop hop;
    std::uint32_t network_hops = 0;   ///< of its 2 (ranks - 1), or, of a reduce-scatter or all-gather, ranks - 1
};
/// Throws std::invalid_argument if ranks_per_node does not divide ranks.
NcclRing ring_of(const NcclParams& params, std::uint32_t ranks, NcclProtocol protocol);

/// A tree over nodes with a chain in each: its latencies, as of a ring, and the rate that its links reach for `size`
/// bytes, 0.92 of the ring's or less (treeCorrectionFactor).
struct NcclTree {
    Time base;
    NcclHop hop;
    Bandwidth rate;
};
/// Preconditions: several nodes, which divide the ranks.
NcclTree tree_of(const NcclParams& params, std::uint32_t ranks, NcclProtocol protocol, Bytes size);

/// Chunks into which NCCL cuts the half of `size` that each of the two trees carries; a rank passes one on while it
/// receives the next. Simple: 512 KiB (a buffer of 4 MiB has 8 steps), halved down to 128 KiB while there are fewer
/// than 8 chunks per level of the tree, to 64 KiB while fewer than 4, to 32 KiB while fewer than 1; a tree has ranks
/// per node - 1 + floor(log2(nodes)) levels. LL and LL128 pass on what a warp has received, 32 lines of 8 bytes or 4 of
/// 120. Reckoned with one channel per tree, the fewest: more of them share the same link. Source: chunk sizes of
/// enqueue.cc, depth of graph/connect.cc, device/prims_ll.h and prims_ll128.h. Preconditions: as of tree_of.
std::uint64_t tree_chunks(const NcclParams& params, std::uint32_t ranks, NcclProtocol protocol, Bytes size);

/// The bus bandwidth that an algorithm reaches with a protocol for `size` bytes, rounded down to Mbit/s.
/// Release 2.8: a ring a quarter (LL), 0.92 (LL128) or all (Simple) of it, a tree 0.9 of that.
/// Release 2.28: a ring 1/2, 0.92 or 1; a tree 0.92, and of that 1/3.8, 15/16 or 1; LL at most 141 GB/s in a node, 39
/// or 22.5 (Intel, AMD) between two and 20.4 or 19 between more. Limits of a channel are left out: NCCL takes enough of
/// them. A tree has the part that treeCorrectionFactor tells for the size. NVLS and NVLSTree: nvls_rate(), where
/// it is one.
Bandwidth rate_of(const NcclParams& params, std::uint32_t ranks, NcclAlgorithm algorithm, NcclProtocol protocol,
                  Bytes size);

/// The machine as NVLS and NVLSTree see it; none where its NVSwitches do not add.
std::optional<NvlsMachine> nvls_machine_of(const NcclParams& params, std::uint32_t ranks);

/// The algorithm and protocol, and what they take.
struct NcclChoice {
    NcclAlgorithm algorithm;
    NcclProtocol protocol;
    Predicted predicted;
};
/// The first of equally fast ones. Throws as predictions() does.
NcclChoice fastest_choice(const NcclParams& params, std::uint32_t ranks, Bytes size);
/// All that NCCL would consider, in the order of predictions(). Throws as predictions() does.
std::vector<NcclChoice> choices_of(const NcclParams& params, std::uint32_t ranks, Bytes size);

/// Every algorithm and protocol that NCCL would consider, and its time. With n ranks on N nodes of g (release 2.8):
///   ring: base + (2(n-1) - inter) node + inter network, inter = 2N between nodes; 2(n-1)/n size at bandwidth;
///   tree: base + 2((g-1) node + floor(log2 N) network), between nodes only; 2 size at 0.9 bandwidth, corrected by
///   size.
/// Release 2.28: inter = 2(N-1); with one rank a node a ring takes the latencies of trees between nodes; a hop inside
/// takes at least the time of posting a message between nodes, 1 or 2 us (Intel, AMD), three times that with Simple.
/// A reduce-scatter or an all-gather has no trees, half the steps of a ring, half its bytes and no plateau.
/// Where NVSwitches add, and more than two ranks are on a node (release 2.28, Simple): in one node
///   NVLS: 25 us; 2(n-1)/n size at nvls_rate(), or, of a reduce-scatter or all-gather, size;
/// and between nodes, for an AllReduce
///   NVLSTree: 25 us + 2 floor(log2 N) 14 us; 2(n-1)/n size at nvls_rate().
/// Exact for every size. Throws std::invalid_argument if ranks_per_node does not divide ranks, or the operation is
/// another, and OutOfRange if a candidate takes longer than 106 days. Precondition: ranks >= 2.
std::vector<Predicted> predictions(const NcclParams& params, std::uint32_t ranks, Bytes size);

}   // namespace oscar
