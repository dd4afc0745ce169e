#include "sim/checks/topology.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "models/network/params/overrides.hpp"
#include "sim/config/suggest.hpp"

namespace oscar {
namespace {

[[noreturn]] void fail_override(const ConfigNode& entry, const LinkOverride& change, const Topology& topology) {
    const std::string& wanted = change.link.empty() ? change.node : change.link;
    if (wanted.empty())
        entry.fail("names neither link nor node; write it like {link: rank3->switch0, bandwidth: 10Gbps}");
    std::vector<std::string> names;
    if (!change.link.empty())
        for (std::uint32_t e = 0; e < topology.edges.size(); ++e) names.push_back(topology.edge_name(e));
    else
        for (std::uint32_t node = 0; node < topology.nodes(); ++node) names.push_back(topology.node_name(node));
    const std::vector<std::string_view> known(names.begin(), names.end());
    entry.child(change.link.empty() ? "node" : "link")
        .fail(fmt::format("no link is chosen by '{}'{}; there are {}, {}, ...", wanted, did_you_mean(wanted, known),
                          names.front(), names.back()));
}

Topology made(const NetworkParams& params, std::uint32_t ranks, const ConfigNode& network) {
    try {
        return make_topology(params.topology, ranks, params.link);
    } catch (const std::invalid_argument& error) {
        network.child("topology").fail(error.what());
    }
}

}   // namespace

Topology cabled_topology(const NetworkParams& params, std::uint32_t ranks, const ConfigNode& network) {
    Topology topology = made(params, ranks, network);
    if (const auto unmatched = apply_overrides(params.overrides, topology))
        fail_override(network.child("overrides").child(std::to_string(*unmatched)), params.overrides[*unmatched],
                      topology);
    return topology;
}

}   // namespace oscar
