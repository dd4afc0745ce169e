// Bottleneck: the cause with the largest share of an AllReduce's critical path.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "models/timing/critical_path.hpp"

namespace oscar {

/// A cause that can take the largest share of a critical path.
struct Bottleneck {
    std::string_view name;
    Cause cause;
    std::string_view remedy;   ///< what would shorten the time
};

inline constexpr std::array bottlenecks{
    Bottleneck{"link", &CriticalPath::wire_ps, "fewer bits a value or more network.link.bandwidth shorten it"},
    Bottleneck{"engine", &CriticalPath::engine_ps, "more engine.lanes or a faster engine.clock shorten it"},
    Bottleneck{"dma", &CriticalPath::dma_ps,
               "gpu.gradients: codes, more gpu.dma_bandwidth or, for kernels, more gpu.memory_bandwidth shorten it"},
    Bottleneck{"latency", &CriticalPath::latency_ps, "fewer timesteps shorten it, compression does not"},
    Bottleneck{"wait", &CriticalPath::wait_ps, "more even chunks, starts or larger network.link.buffer shorten it"},
};

/// Takes the place of "dma" where engine.mask_sram does not hold the classes of the values, so that DMA reads these
/// too.
inline constexpr Bottleneck dma_with_class_masks{
    "dma with class masks", &CriticalPath::dma_ps,
    "an engine.mask_sram that holds the mask, or classes: {kind: block}, spares DMA its reads; then as for dma"};

/// Takes the place of "dma" where NICs share the uplink of a PCI Express switch, and that is busier than their DMA
/// would be without it.
inline constexpr Bottleneck pcie_uplink{
    "PCIe uplink", &CriticalPath::dma_ps,
    "more gpu.pcie_switch.uplink, or fewer gpu.pcie_switch.gpus on it, shorten it; then as for dma"};

/// The bottleneck that stands for time of DMA.
enum class DmaLimit : std::uint8_t { channels, class_masks, uplink };
constexpr DmaLimit dma_limit(bool reads_masks, bool uplink_limits) {
    if (uplink_limits) return DmaLimit::uplink;
    return reads_masks ? DmaLimit::class_masks : DmaLimit::channels;
}

/// Its name in a report, such as "wire_ps".
std::string_view key_of(const Bottleneck& bottleneck);

/// The cause with the largest share; of equal ones the first of the list.
const Bottleneck& bottleneck_of(const CriticalPath& path, DmaLimit dma = DmaLimit::channels);

/// The cause with the largest share beside the wire: it takes the largest share on an infinitely fast network.
const Bottleneck& bottleneck_beside_wire(const CriticalPath& path, DmaLimit dma = DmaLimit::channels);

/// Mean over the paths, at least one, each figure rounded such that the total is the rounded mean of their totals.
CriticalPath mean_path(const std::vector<CriticalPath>& paths);

}   // namespace oscar
