#include "models/predict/nccl_tuner.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <stdexcept>

namespace oscar {
namespace {

/// Bandwidth of a tree of a protocol by floor(log2(size / 64 B)), in tenths of that of a ring; 10 beyond the table.
/// Source: treeCorrectionFactor of tuning.cc.
constexpr std::array<std::array<std::uint8_t, 23>, 3> tree_tenths{{
    {10, 10, 10, 10, 9, 8, 7, 7, 7, 7, 6, 5, 4, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10},
    {10, 10, 10, 10, 10, 9, 8, 8, 8, 7, 6, 6, 6, 6, 6, 6, 8, 9, 9, 9, 9, 10, 10},
    {9, 9, 9, 9, 9, 9, 9, 8, 7, 6, 6, 5, 5, 5, 5, 6, 7, 8, 7, 7, 8, 9, 9},
}};

std::uint64_t tenths_of_tree(NcclProtocol protocol, Bytes size) {
    const std::uint64_t units = size.count / 64;
    const std::size_t log2 = units == 0 ? 0 : std::size_t(std::bit_width(units)) - 1;
    const auto& table = tree_tenths[static_cast<std::size_t>(protocol)];
    return log2 < table.size() ? table[log2] : 10;
}

/// ceil(a * multiplier / divisor), exact. Throws OutOfRange beyond 16 EiB.
constexpr Bytes scaled(Bytes a, std::uint64_t multiplier, std::uint64_t divisor) {
    return to_bytes((static_cast<UInt128>(a.count) * multiplier + divisor - 1) / divisor);
}

struct Latencies {
    Time base, node, network;
};
/// By algorithm (ring, tree, NVLS, NVLSTree) and protocol (LL, LL128, Simple). Trees of release 2.8 take a node's
/// latencies of rings; switches that add have Simple of 2.28 alone.
using LatencyTable = std::array<std::array<Latencies, 3>, 4>;
constexpr LatencyTable latencies_2_8{{
    {{{3600_ns, 470_ns, 2700_ns}, {10_us, 1900_ns, 4_us}, {8400_ns, 3400_ns, 9600_ns}}},
    {{{4400_ns, 470_ns, 5_us}, {4400_ns, 1900_ns, 8500_ns}, {0_ns, 3400_ns, 50_us}}},
    {},
    {},
}};
constexpr LatencyTable latencies_2_28{{
    {{{6600_ns, 600_ns, 2700_ns}, {14_us, 1900_ns, 4_us}, {8400_ns, 3400_ns, 14_us}}},
    {{{6800_ns, 600_ns, 5_us}, {14_us, 1250_ns, 8500_ns}, {8400_ns, 4_us, 14_us}}},
    {{{}, {}, {0_ns, 25_us, 18_us}}},
    {{{}, {}, {0_ns, 25_us, 14_us}}},
}};

const Latencies& latencies(NcclRelease release, NcclAlgorithm algorithm, NcclProtocol protocol) {
    const LatencyTable& table = release == NcclRelease::v2_8 ? latencies_2_8 : latencies_2_28;
    return table[static_cast<std::size_t>(algorithm)][static_cast<std::size_t>(protocol)];
}

/// The most that LL reaches. Source: llMaxBws of tuning.cc: in a node those of Hopper, between nodes by the host.
Bandwidth most_of_ll(NcclHost host, std::uint32_t nodes) {
    const bool intel = host == NcclHost::intel;
    if (nodes == 1) return 1128_Gbps;
    if (nodes == 2) return intel ? 312_Gbps : 180_Gbps;
    return intel ? 163'200_Mbps : 152_Gbps;
}

Bandwidth part(Bandwidth rate, std::uint64_t multiplier, std::uint64_t divisor) {
    return {rate.mbps * multiplier / divisor};
}

/// Of a ring, or, of a tree, before the correction for its size.
Bandwidth rate_2_28(const NcclParams& params, std::uint32_t nodes, NcclAlgorithm algorithm, NcclProtocol protocol) {
    const bool ring = algorithm == NcclAlgorithm::ring;
    const Bandwidth rate = ring ? params.bandwidth : part(params.bandwidth, 23, 25);
    switch (protocol) {
        case NcclProtocol::ll:
            return std::min(ring ? part(rate, 1, 2) : part(rate, 10, 38), most_of_ll(params.host, nodes));
        case NcclProtocol::ll128:
            return ring ? part(rate, 23, 25) : part(rate, 15, 16);
        default:
            return rate;
    }
}

/// Of a ring of release 2.8.
Bandwidth rate_2_8(Bandwidth rate, NcclProtocol protocol) {
    switch (protocol) {
        case NcclProtocol::ll:
            return part(rate, 1, 4);
        case NcclProtocol::ll128:
            return part(rate, 23, 25);
        default:
            return rate;
    }
}

struct Shape {
    std::uint32_t ranks, nodes;
    std::uint32_t ranks_per_node() const { return ranks / nodes; }
};

Shape shape_of(const NcclParams& params, std::uint32_t ranks) {
    const std::uint32_t per_node = params.ranks_per_node == 0 ? ranks : params.ranks_per_node;
    if (ranks % per_node != 0)
        throw std::invalid_argument("ranks_per_node " + std::to_string(per_node) + " does not divide the " +
                                    std::to_string(ranks) + " ranks");
    return {ranks, ranks / per_node};
}

/// How often a ring goes round: an AllReduce twice.
std::uint32_t rounds_of(Operation operation) {
    switch (operation) {
        case Operation::all_reduce:
            return 2;
        case Operation::reduce_scatter:
        case Operation::all_gather:
            return 1;
        default:
            throw std::invalid_argument("operation " + std::string(to_text(operation)) +
                                        ": NCCL's tuner chooses for all_reduce, reduce_scatter and all_gather");
    }
}

Time ring_latency(const NcclRing& ring, const Shape& shape, std::uint32_t rounds) {
    const std::int64_t between = ring.network_hops;
    return ring.base + (rounds * (std::int64_t{shape.ranks} - 1) - between) * ring.hop.node +
           between * ring.hop.network;
}

/// Of NVLS in one node, of NVLSTree between nodes.
Time nvls_latency(const Shape& shape, NcclAlgorithm algorithm) {
    const NcclHop hop = hop_of(NcclRelease::v2_28, algorithm, NcclProtocol::simple);
    const std::int64_t levels = std::bit_width(shape.nodes) - 1;
    return hop.node + 2 * levels * hop.network;
}

Time tree_latency(NcclRelease release, const Shape& shape, NcclProtocol protocol) {
    const NcclHop hop = hop_of(release, NcclAlgorithm::tree, protocol);
    const std::int64_t levels = std::bit_width(shape.nodes) - 1;
    return base_of(release, NcclAlgorithm::tree, protocol) +
           2 * ((std::int64_t{shape.ranks_per_node()} - 1) * hop.node + levels * hop.network);
}

/// The bytes that an algorithm counts at its rate for `size` bytes.
Bytes counted_bytes(const NcclParams& params, const Shape& shape, NcclAlgorithm algorithm, Bytes size) {
    const std::uint32_t rounds = rounds_of(params.operation);
    if (algorithm == NcclAlgorithm::tree) return scaled(size, 2, 1);
    if (algorithm == NcclAlgorithm::nvls && rounds == 1) return size;
    return scaled(size, rounds * (std::uint64_t{shape.ranks} - 1), shape.ranks);
}

/// The bytes that a protocol of release 2.8 sends for `size` bytes of data: 4 (LL), 25/23 (LL128, 1 / 0.92) or 1
/// (Simple) times the number, rounded up.
Bytes carried_by(NcclProtocol protocol, Bytes size) {
    switch (protocol) {
        case NcclProtocol::ll:
            return scaled(size, 4, 1);
        case NcclProtocol::ll128:
            return scaled(size, 25, 23);
        default:
            return size;
    }
}

/// Bytes that take as long at the bandwidth of the machine.
Bytes carried(const NcclParams& params, const Shape& shape, NcclAlgorithm algorithm, NcclProtocol protocol,
              Bytes size) {
    const Bytes counted = counted_bytes(params, shape, algorithm, size);
    if (params.release == NcclRelease::v2_8)
        return carried_by(protocol, algorithm == NcclAlgorithm::ring
                                        ? counted
                                        : scaled(size, 200, std::uint64_t{9} * tenths_of_tree(protocol, size)));
    return scaled(counted, params.bandwidth.mbps,
                  std::max<std::uint64_t>(1, rate_of(params, shape.ranks, algorithm, protocol, size).mbps));
}

Predicted predicted(const NcclParams& params, NcclAlgorithm algorithm, NcclProtocol protocol, Time latency,
                    Bytes bytes) {
    const Predicted::Line line{latency, bytes};
    return {std::string(to_text(algorithm)) + "/" + std::string(to_text(protocol)),
            time_of(line, params.launch, params.bandwidth), line};
}

/// Those that work on the machine.
std::vector<NcclProtocol> protocols(const NcclParams& params, const Shape& shape) {
    std::vector<NcclProtocol> result;
    for (const auto& choice : choices(NcclProtocol{}))
        if (choice.value != NcclProtocol::ll128 || shape.nodes == 1 || params.network_ll128)
            result.push_back(choice.value);
    return result;
}

/// Levels that a chunk climbs at most: the chain in a node, then the tree over nodes.
std::uint32_t depth_of_tree(const Shape& shape) {
    return shape.ranks_per_node() - 1 + static_cast<std::uint32_t>(std::bit_width(shape.nodes)) - 1;
}

/// The chunk of Simple for the half of a tree.
Bytes simple_chunk(std::uint64_t depth, Bytes half) {
    Bytes chunk = 512_KiB;
    const auto halve_to = [&](Bytes least, std::uint64_t chunks) {
        while (chunk > least && half.count / chunk.count < chunks) chunk = {chunk.count / 2};
    };
    halve_to(128_KiB, 8 * depth);
    halve_to(64_KiB, 4 * depth);
    halve_to(32_KiB, depth);
    return chunk;
}

}   // namespace

NcclHop hop_of(NcclRelease release, NcclAlgorithm algorithm, NcclProtocol protocol) {
    const Latencies& found = latencies(release, algorithm, protocol);
    return {found.node, found.network};
}

Time base_of(NcclRelease release, NcclAlgorithm algorithm, NcclProtocol protocol) {
    return latencies(release, algorithm, protocol).base;
}

NcclRing ring_of(const NcclParams& params, std::uint32_t ranks, NcclProtocol protocol) {
    const Shape shape = shape_of(params, ranks);
    const std::uint32_t rounds = rounds_of(params.operation);
    const bool between = shape.nodes > 1, simple = protocol == NcclProtocol::simple;
    const bool plateau = simple && between && params.operation == Operation::all_reduce;
    const auto stretched = [&](Time t) { return plateau ? Time{t.ps * params.plateau_percent / 100} : t; };
    const Time base = stretched(base_of(params.release, NcclAlgorithm::ring, protocol));
    NcclHop hop = hop_of(params.release, NcclAlgorithm::ring, protocol);
    if (!between) return {base, hop, 0};
    if (params.release == NcclRelease::v2_8)
        return {base, {stretched(hop.node), stretched(hop.network)}, rounds * shape.nodes};
    const Time post = params.host == NcclHost::intel ? 1_us : 2_us;
    if (shape.ranks_per_node() == 1) hop.network = hop_of(params.release, NcclAlgorithm::tree, protocol).network;
    hop.node = std::max(hop.node, simple ? 3 * post : post);
    return {base, {stretched(hop.node), stretched(hop.network)}, rounds * (shape.nodes - 1)};
}

Bandwidth rate_of(const NcclParams& params, std::uint32_t ranks, NcclAlgorithm algorithm, NcclProtocol protocol,
                  Bytes size) {
    if (algorithm == NcclAlgorithm::nvls || algorithm == NcclAlgorithm::nvls_tree)
        return nvls_rate(nvls_machine_of(params, ranks).value(), params.operation).value();
    const bool ring = algorithm == NcclAlgorithm::ring;
    if (params.release == NcclRelease::v2_8) {
        const Bandwidth rate = rate_2_8(params.bandwidth, protocol);
        return ring ? rate : part(rate, 9 * tenths_of_tree(protocol, size), 100);
    }
    const Bandwidth rate = rate_2_28(params, shape_of(params, ranks).nodes, algorithm, protocol);
    return ring ? rate : part(rate, tenths_of_tree(protocol, size), 10);
}

NcclTree tree_of(const NcclParams& params, std::uint32_t ranks, NcclProtocol protocol, Bytes size) {
    return {base_of(params.release, NcclAlgorithm::tree, protocol),
            hop_of(params.release, NcclAlgorithm::tree, protocol),
            rate_of(params, ranks, NcclAlgorithm::tree, protocol, size)};
}

std::uint64_t tree_chunks(const NcclParams& params, std::uint32_t ranks, NcclProtocol protocol, Bytes size) {
    constexpr Bytes warp_of_ll{256}, warp_of_ll128{480};
    const Bytes half = scaled(size, 1, 2);
    const Bytes chunk = protocol == NcclProtocol::simple ? simple_chunk(depth_of_tree(shape_of(params, ranks)), half)
                        : protocol == NcclProtocol::ll   ? warp_of_ll
                                                         : warp_of_ll128;
    return std::max<std::uint64_t>(1, scaled(half, 1, chunk.count).count);
}

std::optional<NvlsMachine> nvls_machine_of(const NcclParams& params, std::uint32_t ranks) {
    if (!params.nvls || params.release == NcclRelease::v2_8) return std::nullopt;
    const Shape shape = shape_of(params, ranks);
    return NvlsMachine{*params.nvls, params.nvlink, params.bandwidth, shape.ranks_per_node(), shape.nodes};
}

std::vector<NcclChoice> choices_of(const NcclParams& params, std::uint32_t ranks, Bytes size) {
    const Shape shape = shape_of(params, ranks);
    std::vector<NcclChoice> all;
    const auto consider = [&](NcclAlgorithm algorithm, NcclProtocol protocol, Time latency) {
        const Bytes bytes = carried(params, shape, algorithm, protocol, size);
        all.push_back({algorithm, protocol, predicted(params, algorithm, protocol, latency, bytes)});
    };
    const bool whole = params.operation == Operation::all_reduce, several = shape.nodes > 1;
    for (const NcclProtocol p : protocols(params, shape)) {
        consider(NcclAlgorithm::ring, p, ring_latency(ring_of(params, ranks, p), shape, rounds_of(params.operation)));
        if (several && whole) consider(NcclAlgorithm::tree, p, tree_latency(params.release, shape, p));
    }
    const NcclAlgorithm adding = several ? NcclAlgorithm::nvls_tree : NcclAlgorithm::nvls;
    const auto nvls = nvls_machine_of(params, ranks);
    if (nvls && nvls_rate(*nvls, params.operation)) consider(adding, NcclProtocol::simple, nvls_latency(shape, adding));
    return all;
}

NcclChoice fastest_choice(const NcclParams& params, std::uint32_t ranks, Bytes size) {
    const std::vector<NcclChoice> all = choices_of(params, ranks, size);
    return *std::ranges::min_element(all, {}, [](const NcclChoice& choice) { return choice.predicted.time; });
}

std::vector<Predicted> predictions(const NcclParams& params, std::uint32_t ranks, Bytes size) {
    std::vector<Predicted> candidates;
    for (const NcclChoice& choice : choices_of(params, ranks, size)) candidates.push_back(choice.predicted);
    return candidates;
}

}   // namespace oscar
