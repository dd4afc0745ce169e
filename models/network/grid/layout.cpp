#include "models/network/grid/layout.hpp"

namespace oscar {

RouterLayout::RouterLayout(const RouterGrid& of, const VcRouterParams& given)
    : grid(of),
      params(given),
      switch_vcs(std::size_t{router_ports} * params.input_speedup),
      across(std::size_t{64} * grid.routers()) {
    for (std::uint32_t i = 0; i < router_ports * params.vcs; ++i) {
        const std::uint32_t vc = i % params.vcs;
        port_of[i] = static_cast<std::uint8_t>(i / params.vcs);
        class_of[i] = grid.class_of(vc, params.vcs);
        port_vcs[port_of[i]] |= bit(i);
        class_vcs[class_of[i]] |= bit(i);
        switch_vcs[port_of[i] * params.input_speedup + vc % params.input_speedup] |= bit(i);
    }
    for_each_vc([&](Vc vc) {
        const auto port = static_cast<Port>(port_of[local_of(vc)]);
        const auto neighbour = grid.neighbour(router_of(vc), port);
        across[vc] = neighbour ? number(*neighbour, local(index_of(opposite(port)), local_of(vc) % params.vcs)) : vc;
    });
}

std::string RouterLayout::name_of(Vc vc) const {
    const std::uint32_t here = local_of(vc);
    return "router " + grid.name(router_of(vc)) + " port " + to_text(static_cast<Port>(port_of[here])) + " VC " +
           std::to_string(here % params.vcs);
}

}   // namespace oscar
