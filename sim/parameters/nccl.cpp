#include "sim/parameters/nccl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "models/gpu/dma_rates.hpp"
#include "sim/parameters/sharding.hpp"

namespace oscar {
namespace {

constexpr Bandwidth least_of_nvlink_5 = 4000_Gbps;   // between NVLink 4, 2960 Gbit/s, and NVLink 5, 5774
constexpr std::uint32_t most_nvls_slices = 128, nvls_in_flight = 2;   // one goes up while another comes down
constexpr std::uint64_t most_tree_slices = 64;   // the last chunk of a tree follows 1/64 later: more change little
constexpr Bytes least_slice = 4_KiB;

NcclCollectiveParams* nccl_of(Parameters& p) { return std::get_if<NcclCollectiveParams>(&p.collective.params); }

const IslandsParams* islands_in(const Parameters& p) { return std::get_if<IslandsParams>(&p.network.topology.params); }

std::uint32_t ranks_of_a_node(const Parameters& p) {
    return islands_in(p) != nullptr ? std::min(islands_in(p)->island, p.ranks) : 1;
}

std::uint32_t nics_of_a_node(const Parameters& p) {
    return islands_in(p) != nullptr ? islands_in(p)->nics_of(ranks_of_a_node(p)) : 1;
}

Bandwidth without_headers(Bandwidth rate, const NetworkParams& network) {
    return {rate.mbps * network.packet.count / (network.packet + network.header).count};
}

Bandwidth nvlink_of(const Parameters& p) { return islands_in(p)->island_link.of(p.network.link).bandwidth; }

/// Of a GPU's port and its link.
Bandwidth inside_nodes(const Parameters& p) {
    const Bandwidth link = without_headers(nvlink_of(p), p.network);
    return p.gpu.island_port ? std::min(link, p.gpu.island_port->bandwidth) : link;
}

/// Of all NICs of a node.
Bandwidth between_nodes(const Parameters& p) {
    const Bandwidth nic = std::min(without_headers(p.network.link.bandwidth, p.network), net_dma_bandwidth(p.gpu));
    return {nic.mbps * nics_of_a_node(p)};
}

bool has_nodes_of_several(const Parameters& p) { return ranks_of_a_node(p) > 1; }
bool has_several_nodes(const Parameters& p) { return ranks_of_a_node(p) < p.ranks; }

std::uint32_t slices_of_trees(const Parameters& p, std::uint32_t channels, Bytes bytes) {
    const Bytes of_a_channel{bytes.count / channels};
    const std::uint64_t chunks = tree_chunks(tuner_of(p), p.ranks, NcclProtocol::simple, of_a_channel),
                        most = std::min(most_tree_slices, of_a_channel.count / 2 / least_slice.count);
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(chunks, 1, std::max<std::uint64_t>(1, most)));
}

std::uint32_t slices_of_nvls(const Parameters& p, Bytes bytes) {
    const std::uint64_t chunks = nvls_chunks(*nvls_machine_of(tuner_of(p), p.ranks), bytes);
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(chunks, most_nvls_slices));
}

std::uint32_t slices_of_choice(const Parameters& p, const NcclCollectiveParams& nccl) {
    if (nccl.by_switches()) return slices_of_nvls(p, nccl.bytes);
    return nccl.is_tree() ? slices_of_trees(p, nccl.channels, nccl.bytes) : 1;
}

bool is_allowed(const NcclCollectiveParams& nccl, NcclAlgorithm algorithm) {
    if (nccl.algorithm) return algorithm == *nccl.algorithm;
    return nccl.algorithms.empty() || std::ranges::find(nccl.algorithms, algorithm) != nccl.algorithms.end();
}

/// Why NCCL would not take the algorithm on this machine, with a remedy.
std::string reason_against(const Parameters& p, NcclAlgorithm algorithm) {
    const NcclCollectiveParams& nccl = *nccl_in(p);
    const std::string name(to_text(algorithm));
    const bool adds = algorithm == NcclAlgorithm::nvls || algorithm == NcclAlgorithm::nvls_tree;
    if (nccl.operation != Operation::all_reduce && algorithm != NcclAlgorithm::ring && algorithm != NcclAlgorithm::nvls)
        return fmt::format("algorithm {} is for all_reduce, and {} has ring and NVLS; write ring", name,
                           to_text(nccl.operation));
    if (algorithm == NcclAlgorithm::tree && !has_several_nodes(p))
        return "trees are over nodes, and all ranks are on one; write algorithm: ring, or leave it out";
    if (adds && !nvls_machine_of(tuner_of(p), p.ranks))
        return fmt::format(
            "{} needs NVSwitches that add, and network.switch.aggregator does not say with what; take "
            "base: nvlink-4 or nvlink-5, or write algorithm: ring",
            name);
    if (adds && ranks_of_a_node(p) < 3)
        return fmt::format("{} needs three GPUs of a node or more; write algorithm: ring", name);
    if (algorithm == NcclAlgorithm::nvls && has_several_nodes(p))
        return "NVLS between nodes needs CollNet, which is not modelled; write algorithm: NVLSTree, or leave it out";
    if (algorithm == NcclAlgorithm::nvls_tree && !has_several_nodes(p))
        return "NVLSTree is between nodes, and all ranks are on one; write algorithm: NVLS, or leave it out";
    return fmt::format("{} has protocol Simple; write that, or leave protocol out", name);
}

std::string reason_of_no_choice(const Parameters& p) {
    const NcclCollectiveParams& nccl = *nccl_in(p);
    return reason_against(p, nccl.algorithm ? *nccl.algorithm : nccl.algorithms.front());
}

/// Of the collective's messages; Simple where none has been chosen.
NcclProtocol protocol_of(const Parameters& p) {
    if (const auto* direct = std::get_if<DirectParams>(&p.collective.params)) return direct->protocol;
    const NcclCollectiveParams* nccl = nccl_in(p);
    return nccl == nullptr || nccl->bytes == 0_B ? NcclProtocol::simple : *nccl->protocol;
}

/// A latency of the parts, which Simple on a ring has, as that of another protocol.
Time shortened(Time of_simple, Time simple, Time protocol) {
    return std::max(Time{}, of_simple - std::max(Time{}, simple - protocol));
}

/// Parts by name have the latencies of a step with Simple that NCCL 2.8 to 2.17 counted: 3.4 us on NVLink and 9.6 us
/// over the network (configs/parts/nvlink-4.yaml, gpudirect-rdma.yaml), which measured rings confirm (8.0 us between
/// H100 with NDR). 2.28 has 14 us in place of 9.6, to turn its choice from rings between nodes. So a protocol's gain
/// is the time of Simple that the parts have, of 2.8, less the protocol's own time, of 2.28, whose choice is followed.
void use_latencies(NodeParams& node, const Parameters& p, const NcclCollectiveParams& nccl) {
    node.gpu.launch += base_of(NcclRelease::v2_28, *nccl.algorithm, *nccl.protocol);
    if (nccl.protocol == NcclProtocol::simple) return;
    const NcclHop simple = hop_of(NcclRelease::v2_8, NcclAlgorithm::ring, NcclProtocol::simple);
    const bool as_tree = nccl.is_tree() || !has_nodes_of_several(p);
    const NcclHop hop = hop_of(NcclRelease::v2_28, *nccl.algorithm, *nccl.protocol),
                  exposed = hop_of(NcclRelease::v2_28, NcclAlgorithm::tree, *nccl.protocol);
    Time& message = node.nic.message_latency;
    message = shortened(message, simple.network, as_tree ? exposed.network : hop.network);
    if (node.gpu.island_port)
        node.gpu.island_port->latency = shortened(node.gpu.island_port->latency, simple.node, hop.node);
}

/// A rate of values as that of their lines.
Bandwidth in_lines(Bandwidth rate, const std::optional<LineFormat>& lines) {
    return lines ? Bandwidth{rate.mbps * lines->size() / lines->data} : rate;
}

Bytes in_lines(Bytes data, const std::optional<LineFormat>& lines) {
    return lines ? Bytes{data.count * lines->size() / lines->data} : data;
}

Bandwidth part_of_a_channel(Bandwidth rate, std::uint32_t channels) {
    return {std::max<std::uint64_t>(1, rate.mbps / channels)};
}

Bandwidth unscaled(Bandwidth rate, const Parameters& p) { return {rate.mbps * p.scale}; }

void limit(Bandwidth& rate, Bandwidth most) { rate = std::max(1_Mbps, std::min(rate, most)); }

/// What the tuner counts for the chosen algorithm and protocol, were that the bandwidth of a node.
Bandwidth rate_at(Bandwidth bandwidth, const Parameters& p, const NcclCollectiveParams& nccl) {
    NcclParams tuner = tuner_of(p);
    tuner.bandwidth = bandwidth;
    return rate_of(tuner, p.ranks, *nccl.algorithm, *nccl.protocol, nccl.bytes);
}

/// `bandwidth`: what the NICs of a node would carry.
void limit_nics(NodeParams& node, const Parameters& p, const NcclCollectiveParams& nccl, Bandwidth bandwidth) {
    limit(node.gpu.dma_bandwidth, {rate_at(bandwidth, p, nccl).mbps / p.scale / nics_of_a_node(p)});
}

/// `bandwidth`: what a port would carry.
void limit_port(NodeParams& node, const Parameters& p, const NcclCollectiveParams& nccl, Bandwidth bandwidth) {
    limit(node.gpu.island_port->bandwidth, {in_lines(rate_at(bandwidth, p, nccl), lines_of(p)).mbps / p.scale});
}

/// By how much a ring's message inside a node takes longer than at the rate of its port: a channel's kernels copy as
/// fast inside a node as between nodes.
Time copying(const NodeParams& node, const Parameters& p, const NcclCollectiveParams& nccl) {
    const Bytes message{nccl.bytes.count / (std::uint64_t{p.ranks} * nccl.channels)};
    const Bandwidth channel = part_of_a_channel(rate_at(tuner_of(p).bandwidth, p, nccl), nccl.channels),
                    port = unscaled(node.gpu.island_port->bandwidth, p);
    const Time slower = serialization(message, channel), own = serialization(in_lines(message, lines_of(p)), port);
    return std::max(Time{}, slower - own);
}

/// On two trees of N nodes a NIC carries 2 (N - 1) / N of its part, where the tuner counts twice the part.
void use_rates_of_nvls_tree(NodeParams& node, const Parameters& p, const NcclCollectiveParams& nccl) {
    const std::uint64_t nodes = p.ranks / ranks_of_a_node(p), rate = rate_at(tuner_of(p).bandwidth, p, nccl).mbps;
    limit(node.gpu.dma_bandwidth, {rate * (nodes - 1) / nodes / p.scale / nics_of_a_node(p)});
}

/// A chain carries all of the bytes twice, and the NICs of a node, too, between more than two nodes; between two half.
void use_rates_of_tree(NodeParams& node, const Parameters& p, const NcclCollectiveParams& nccl) {
    const Bandwidth all = tuner_of(p).bandwidth;
    limit_nics(node, p, nccl, all);
    if (node.gpu.island_port && p.ranks == 2 * ranks_of_a_node(p)) limit_port(node, p, nccl, all);
}

void use_rates_of_ring(NodeParams& node, const Parameters& p, const NcclCollectiveParams& nccl) {
    const bool lines = nccl.protocol != NcclProtocol::simple, several = has_several_nodes(p);
    if (lines && several) limit_nics(node, p, nccl, unscaled(between_nodes(p), p));
    if (!node.gpu.island_port) return;
    if (lines) limit_port(node, p, nccl, unscaled(inside_nodes(p), p));
    if (several) node.gpu.island_port->latency += copying(node, p, nccl);
}

/// ConfigError: a key that follows from the choice has another value; one that a report echoes has this one.
void require_as_chosen(const ConfigNode& collective, const NcclCollectiveParams& nccl) {
    const auto require = [&](const char* key, const std::string& chosen) {
        const ConfigNode node = collective.child(key);
        if (node.form != ConfigNode::Form::null && node.text != chosen)
            node.fail(fmt::format("follows from NCCL's choice, which has {}; leave it out", chosen));
    };
    require("issue", std::string(to_text(nccl.issue)));
    require("slices", std::to_string(nccl.slices));
    require("channels", std::to_string(nccl.channels));
    require("channel_order", std::string(to_text(nccl.channel_order)));
    require("in_flight", std::to_string(nccl.in_flight));
}

}   // namespace

const NcclCollectiveParams* nccl_in(const Parameters& p) {
    return std::get_if<NcclCollectiveParams>(&p.collective.params);
}

NcclParams tuner_of(const Parameters& p) {
    NcclParams tuner;
    tuner.ranks_per_node = ranks_of_a_node(p);
    tuner.launch = p.gpu.launch;
    tuner.network_ll128 = true;
    tuner.release = NcclRelease::v2_28;
    tuner.host = nccl_in(p)->host;
    tuner.operation = nccl_in(p)->operation;
    if (nccl_in(p)->switches_add && has_nodes_of_several(p) && p.gpu.island_port) {
        tuner.nvlink = unscaled(std::min(nvlink_of(p), p.gpu.island_port->bandwidth), p);
        tuner.nvls = tuner.nvlink < least_of_nvlink_5 ? NvlsGpus::hopper : NvlsGpus::blackwell;
    }
    Bandwidth slowest = has_several_nodes(p) ? between_nodes(p) : inside_nodes(p);
    if (has_nodes_of_several(p)) slowest = std::min(slowest, inside_nodes(p));
    tuner.bandwidth = unscaled(slowest, p);
    return tuner;
}

NcclChoice nccl_choice(const Parameters& p, Bytes bytes) {
    const NcclCollectiveParams& nccl = *nccl_in(p);
    std::vector<NcclChoice> all = choices_of(tuner_of(p), p.ranks, bytes);
    std::erase_if(all, [&](const NcclChoice& choice) {
        return !is_allowed(nccl, choice.algorithm) || (nccl.protocol && choice.protocol != *nccl.protocol);
    });
    if (all.empty()) throw std::invalid_argument(reason_of_no_choice(p));
    return *std::ranges::min_element(all, {}, [](const NcclChoice& choice) { return choice.predicted.time; });
}

Bytes widest_bytes(const Parameters& p, std::uint64_t values) {
    const bool fp32 = std::ranges::any_of(
        p.methods, [](const Method& method) { return std::holds_alternative<Fp32Params>(method.codec.params); });
    return {values * (fp32 ? 4 : 2) * p.scale};
}

void choose_nccl(Parameters& p, Bytes bytes) {
    NcclCollectiveParams* nccl = nccl_of(p);
    if (nccl == nullptr) return;
    const NcclChoice choice = nccl_choice(p, bytes);
    nccl->algorithm = choice.algorithm;
    nccl->protocol = choice.protocol;
    nccl->bytes = bytes;
    nccl->issue = Issue::dependency;
    nccl->island = ranks_of_a_node(p);
    nccl->channels = has_several_nodes(p) && !nccl->by_switches() ? std::min(nics_of_a_node(p), 32u) : 1;
    nccl->channel_order = nccl->channels > 1 ? ChannelOrder::rotated : ChannelOrder::same;
    nccl->slices = slices_of_choice(p, *nccl);
    nccl->in_flight = nccl->algorithm == NcclAlgorithm::nvls && nccl->operation == Operation::all_reduce
                          ? std::min(nvls_in_flight, nccl->slices - 1)
                          : 0;
}

void choose_nccl(Experiment& experiment, std::uint64_t values) {
    Parameters& p = experiment.parameters;
    const ConfigNode collective = experiment.source.child("collective");
    try {
        choose_nccl(p, widest_bytes(p, values));
    } catch (const std::invalid_argument& error) {
        collective.fail(error.what());
    }
    require_as_chosen(collective, *nccl_in(p));
}

void choose_nccl(Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    if (nccl_in(p) == nullptr) return;
    const ConfigNode adders = experiment.source.child("network").child("switch").child("aggregator");
    nccl_of(experiment.parameters)->switches_add = adders.form != ConfigNode::Form::null;
    if (is_sharded(p)) nccl_of(experiment.parameters)->operation = Operation::reduce_scatter;
    if (p.payload != Payload::synthetic) return;
    Bytes largest = p.step && !p.step->given.empty() ? 0_B : *p.size;
    if (p.step)
        for (const GivenBucket& bucket : p.step->given) largest = std::max(largest, bucket.bytes);
    choose_nccl(experiment, values_of(largest));
}

NodeParams with_kernels_of_nccl(NodeParams node, const Parameters& p) {
    const NcclCollectiveParams* nccl = nccl_in(p);
    if (nccl == nullptr || nccl->bytes == 0_B) return node;
    use_latencies(node, p, *nccl);
    switch (*nccl->algorithm) {
        case NcclAlgorithm::ring:
            use_rates_of_ring(node, p, *nccl);
            break;
        case NcclAlgorithm::tree:
            use_rates_of_tree(node, p, *nccl);
            break;
        case NcclAlgorithm::nvls:   // whose ports and switches have what the tuner counts on
            break;
        case NcclAlgorithm::nvls_tree:
            use_rates_of_nvls_tree(node, p, *nccl);
            break;
    }
    return node;
}

std::optional<LineFormat> lines_of(const Parameters& p) {
    switch (protocol_of(p)) {
        case NcclProtocol::ll:
            return LineFormat{4, 4};
        case NcclProtocol::ll128:
            return LineFormat{120, 8};
        default:
            return std::nullopt;
    }
}

}   // namespace oscar
