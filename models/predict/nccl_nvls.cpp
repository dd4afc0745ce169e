#include "models/predict/nccl_nvls.hpp"

#include <algorithm>

namespace oscar {

using namespace literals;

namespace {

constexpr std::uint32_t least_nvls_gpus = 3, most_nvls_heads = 32;   // the latter: NCCL_MAX_NVLS_ARITY
constexpr std::uint64_t gigabyte_mbps = 8000;

/// The rates of a channel that NCCL's search tries, from the largest, in GB/s; the part of NVLink's rate that tuning.cc
/// counts on; the most that a channel of NVLSTree reaches between two nodes and between more.
struct NvlsConstants {
    std::array<std::uint8_t, 11> speeds;
    std::uint64_t percent;
    Bandwidth most_of_two, most_of_more;
};
constexpr NvlsConstants nvls_hopper{{60, 50, 40, 30, 24, 20, 15, 12, 11, 6, 3}, 85, 461'600_Mbps, 364_Gbps};
constexpr NvlsConstants nvls_blackwell{{90, 80, 70, 60, 50, 40, 30, 24, 20, 19, 18}, 74, 768_Gbps, 344'800_Mbps};

const NvlsConstants& constants_of(NvlsGpus gpus) { return gpus == NvlsGpus::hopper ? nvls_hopper : nvls_blackwell; }

/// The GPUs of a node that add up a part each.
std::uint64_t nvls_heads(const NvlsMachine& machine) { return std::min(machine.ranks_per_node, most_nvls_heads); }

std::uint64_t nvls_channels(const NvlsMachine& machine) {
    if (machine.gpus == NvlsGpus::hopper) return 16;
    return machine.nodes == 1 ? 24 : 32;
}

/// A port carries the channel of each head once, and its own twice. 0: none fits.
std::uint64_t channel_mbps(const NvlsMachine& machine) {
    for (const std::uint64_t speed : constants_of(machine.gpus).speeds)
        if ((nvls_heads(machine) + 1) * speed * gigabyte_mbps <= machine.nvlink.mbps) return speed * gigabyte_mbps;
    return 0;
}

}   // namespace

std::optional<Bandwidth> nvls_rate(const NvlsMachine& machine, Operation operation) {
    const bool whole = operation == Operation::all_reduce, between = machine.nodes > 1;
    const std::uint64_t channel = channel_mbps(machine), heads = nvls_heads(machine);
    if (machine.ranks_per_node < least_nvls_gpus || channel == 0 || (between && !whole)) return std::nullopt;
    const NvlsConstants& constants = constants_of(machine.gpus);
    const std::uint64_t once = channel * constants.percent * (heads - 1) / 100;
    if (!whole) return Bandwidth{once * (heads - 1) / heads};
    if (!between) return Bandwidth{2 * once};
    const bool two = machine.nodes == 2;
    const std::uint64_t most = heads * (two ? constants.most_of_two : constants.most_of_more).mbps;
    return Bandwidth{std::min({2 * once, machine.network.mbps * (two ? 2 : 1), most})};
}

std::uint64_t nvls_chunks(const NvlsMachine& machine, Bytes size) {
    const std::uint64_t at_once = nvls_heads(machine) * nvls_channels(machine);
    Bytes chunk = machine.nodes >= 4 ? 64_KiB : 128_KiB;
    const auto lower_to = [&](Bytes less, std::uint64_t chunks) {
        if (chunk > less && size.count < chunks * at_once * chunk.count) chunk = less;
    };
    if (machine.nodes == 1) {
        lower_to(64_KiB, 64);
        lower_to(32_KiB, 8);
        lower_to(16_KiB, 2);
    } else {
        lower_to(64_KiB, 4);
        lower_to(32_KiB, 1);
    }
    return std::max<std::uint64_t>(1, (size.count + at_once * chunk.count - 1) / (at_once * chunk.count));
}

}   // namespace oscar
