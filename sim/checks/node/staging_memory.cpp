#include "sim/checks/node/staging_memory.hpp"

#include <fmt/format.h>

#include <string>

#include "models/core/quantity.hpp"
#include "models/network/transport/make_network.hpp"

namespace oscar {
namespace {

void check_one(const NicParams& nic, const Parameters& p, const ConfigNode& source) {
    if (!nic.staging_memory) return;
    const ConfigNode node = source.child("nic").child("staging_memory");
    if (*nic.staging_memory < p.network.packet)
        node.fail(
            fmt::format("a packet of {} has no room in {}; choose {} or more, which lets every run end, or a "
                        "smaller network.packet",
                        to_text(p.network.packet), to_text(*nic.staging_memory), to_text(p.network.packet)));
    if (!is_plain(p.network))
        node.fail(
            "packets wait for it in buffers whose credits return later, and links of this network do without credits; "
            "leave it out, or leave out loss, reliability, congestion, flow control, faults and routers");
    if (has_background(p))
        node.fail("packets of others pass the same buffers and no NIC; leave it out, or leave out network.background");
}

}   // namespace

void check_staging_memory(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    check_one(p.nic, p, experiment.source);
    for (std::size_t i = 0; i < p.nodes.size(); ++i)
        if (p.nodes[i].nic.staging_memory != p.nic.staging_memory)
            check_one(p.nodes[i].nic, p, experiment.source.child("nodes").child(std::to_string(i)));
}

}   // namespace oscar
