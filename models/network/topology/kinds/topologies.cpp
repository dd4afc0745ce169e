#include "models/network/topology/kinds/topologies.hpp"

namespace oscar {

Topology make_topology(const TopologyKind& kind, std::uint32_t ranks, const LinkParams& link) {
    return std::visit([&](const auto& params) { return make_topology(params, ranks, link); }, kind.params);
}

}   // namespace oscar
