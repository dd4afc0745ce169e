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

Time ring_latency(const NcclRing& ring, const Shape& shape) {
    const std::int64_t between = ring.network_hops;
    return ring.base + (2 * (std::int64_t{shape.ranks} - 1) - between) * ring.hop.node + between * ring.hop.network;
}

Time tree_latency(const Shape& shape, NcclProtocol protocol) {
    const NcclHop hop = hop_of(NcclAlgorithm::tree, protocol);
    const std::int64_t levels = std::bit_width(shape.nodes) - 1;
    return base_of(NcclAlgorithm::tree, protocol) +
           2 * ((std::int64_t{shape.ranks_per_node()} - 1) * hop.node + levels * hop.network);
}

Bytes ring_bytes(const Shape& shape, Bytes size) {
    return scaled(size, 2 * (std::uint64_t{shape.ranks} - 1), shape.ranks);
}

Bytes tree_bytes(NcclProtocol protocol, Bytes size) {
    return scaled(size, 200, std::uint64_t{9} * tenths_of_tree(protocol, size));
}

Predicted predicted(const NcclParams& params, NcclAlgorithm algorithm, NcclProtocol protocol, Time latency,
                    Bytes bytes) {
    const Predicted::Line line{latency, carried_by(protocol, bytes)};
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

/// All that NCCL would consider.
std::vector<NcclChoice> choices_of(const NcclParams& params, std::uint32_t ranks, Bytes size) {
    const Shape shape = shape_of(params, ranks);
    std::vector<NcclChoice> all;
    const auto consider = [&](NcclAlgorithm algorithm, NcclProtocol protocol, Time latency, Bytes bytes) {
        all.push_back({algorithm, protocol, predicted(params, algorithm, protocol, latency, bytes)});
    };
    for (const NcclProtocol p : protocols(params, shape)) {
        consider(NcclAlgorithm::ring, p, ring_latency(ring_of(params, ranks, p), shape), ring_bytes(shape, size));
        if (shape.nodes > 1) consider(NcclAlgorithm::tree, p, tree_latency(shape, p), tree_bytes(p, size));
    }
    return all;
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

NcclHop hop_of(NcclAlgorithm algorithm, NcclProtocol protocol) {
    const bool ring = algorithm == NcclAlgorithm::ring;
    switch (protocol) {
        case NcclProtocol::ll:
            return {470_ns, ring ? 2700_ns : 5_us};
        case NcclProtocol::ll128:
            return {1900_ns, ring ? 4_us : 8500_ns};
        default:
            return {3400_ns, ring ? 9600_ns : 50_us};
    }
}

Time base_of(NcclAlgorithm algorithm, NcclProtocol protocol) {
    const bool ring = algorithm == NcclAlgorithm::ring;
    switch (protocol) {
        case NcclProtocol::ll:
            return ring ? 3600_ns : 4400_ns;
        case NcclProtocol::ll128:
            return ring ? 10_us : 4400_ns;
        default:
            return ring ? 8400_ns : 0_ns;
    }
}

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

NcclRing ring_of(const NcclParams& params, std::uint32_t ranks, NcclProtocol protocol) {
    const Shape shape = shape_of(params, ranks);
    const bool between = shape.nodes > 1, plateau = protocol == NcclProtocol::simple && between;
    const auto stretched = [&](Time t) { return plateau ? Time{t.ps * params.plateau_percent / 100} : t; };
    const NcclHop hop = hop_of(NcclAlgorithm::ring, protocol);
    return {stretched(base_of(NcclAlgorithm::ring, protocol)),
            {stretched(hop.node), stretched(hop.network)},
            between ? 2 * shape.nodes : 0};
}

Bandwidth rate_of(NcclProtocol protocol, Bandwidth rate) {
    switch (protocol) {
        case NcclProtocol::ll:
            return {rate.mbps / 4};
        case NcclProtocol::ll128:
            return {rate.mbps * 23 / 25};
        default:
            return rate;
    }
}

NcclTree tree_of(const NcclParams& params, NcclProtocol protocol, Bytes size) {
    const Bandwidth rate = rate_of(protocol, params.bandwidth);
    return {base_of(NcclAlgorithm::tree, protocol),
            hop_of(NcclAlgorithm::tree, protocol),
            {rate.mbps * 9 * tenths_of_tree(protocol, size) / 100}};
}

std::uint64_t tree_chunks(const NcclParams& params, std::uint32_t ranks, NcclProtocol protocol, Bytes size) {
    constexpr Bytes warp_of_ll{256}, warp_of_ll128{480};
    const Bytes half = scaled(size, 1, 2);
    const Bytes chunk = protocol == NcclProtocol::simple ? simple_chunk(depth_of_tree(shape_of(params, ranks)), half)
                        : protocol == NcclProtocol::ll   ? warp_of_ll
                                                         : warp_of_ll128;
    return std::max<std::uint64_t>(1, scaled(half, 1, chunk.count).count);
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
