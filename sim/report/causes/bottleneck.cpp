#include "sim/report/causes/bottleneck.hpp"

#include <algorithm>

namespace oscar {

std::string_view key_of(const Bottleneck& bottleneck) {
    std::string_view key;
    for_each_field<CriticalPath>([&](const auto& field) {
        if (field.member == bottleneck.cause) key = field.key;
    });
    return key;
}

const Bottleneck& bottleneck_of(const CriticalPath& path, DmaLimit dma) {
    const auto largest = std::ranges::max_element(bottlenecks, {}, [&](const Bottleneck& b) { return path.*b.cause; });
    if (largest->cause != &CriticalPath::dma_ps || dma == DmaLimit::channels) return *largest;
    return dma == DmaLimit::uplink ? pcie_uplink : dma_with_class_masks;
}

const Bottleneck& bottleneck_beside_wire(const CriticalPath& path, DmaLimit dma) {
    CriticalPath others = path;
    others.wire_ps = -1;
    return bottleneck_of(others, dma);
}

CriticalPath mean_path(const std::vector<CriticalPath>& paths) {
    CriticalPath sum;
    for (const CriticalPath& path : paths) sum += path;
    const auto n = static_cast<std::int64_t>(paths.size());
    CriticalPath mean;
    std::int64_t up_to = 0, rounded_up_to = 0;   // all figures so far
    for_each_field<CriticalPath>([&](const auto& field) {
        up_to += sum.*field.member;
        const std::int64_t rounded = (up_to + n / 2) / n;
        mean.*field.member = rounded - rounded_up_to;
        rounded_up_to = rounded;
    });
    return mean;
}

}   // namespace oscar
