// Rates and chunks of NVSwitches that add, as NCCL's tuner counts on them: NVLS in one node, NVLSTree between nodes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "models/collective/schedule/operation.hpp"
#include "models/core/fields.hpp"
#include "models/core/units.hpp"

namespace oscar {

/// GPUs whose NVSwitches add and copy, by NCCL's constants for them.
enum class NvlsGpus : std::uint8_t { hopper, blackwell };
constexpr auto choices(NvlsGpus) {
    return std::array{Choice{"hopper", NvlsGpus::hopper, "on NVLink 4: 0.85 of its rate"},
                      Choice{"blackwell", NvlsGpus::blackwell, "on NVLink 5: 0.74 of its rate"}};
}

/// `nvlink`: of a GPU's port, one direction. `network`: bus bandwidth of a node's NICs.
struct NvlsMachine {
    NvlsGpus gpus;
    Bandwidth nvlink, network;
    std::uint32_t ranks_per_node, nodes;
};

/// The bus bandwidth, with a channel for each of c GPUs of a node, at most 32. A channel has the largest rate s of
/// NCCL's search of which a port carries c + 1. In one node an AllReduce, whose halves are pipelined, has 2 e s (c -
/// 1), where NCCL counts on the part e of NVLink's rate, and a reduce-scatter or all-gather e s (c - 1)^2 / c. Between
/// nodes an AllReduce is limited by the network, of two nodes by twice that, and by 57.7 (Hopper) or 96 GB/s
/// (Blackwell) a channel, of more nodes by 45.5 or 43.1. None: a node has fewer than three GPUs, no rate of the search
/// fits, or a reduce-scatter or all-gather between nodes. Source: NCCL 2.28, nvlsEfficiency and perChMaxNVLSTreeBws of
/// graph/tuning.cc, ncclTopoSearchTryNvls and speeds of graph/search.cc, least GPUs of transport/nvls.cc.
std::optional<Bandwidth> nvls_rate(const NvlsMachine& machine, Operation operation);

/// The chunks that follow each other at a GPU when it adds up its part of `size` bytes, at least 1: of 128 KiB in each
/// of 16 channels (Hopper), 24, or, between nodes, 32 (Blackwell). In one node chunks have 64, 32 or 16 KiB below 64, 8
/// or 2 of them; between nodes 64 KiB from four nodes on, or below 4 of them, and 32 KiB below one.
/// Source: chunk sizes of enqueue.cc, channels of transport/nvls.cc.
std::uint64_t nvls_chunks(const NvlsMachine& machine, Bytes size);

}   // namespace oscar
