#include "models/network/grid/waits.hpp"

namespace oscar {

/// Flits in an input VC, as far as is known.
std::uint32_t RouterWaits::held(Vc input) const {
    const RouterStages* router = routers_[RouterLayout::router_of(input)];
    return router == nullptr ? 0 : router->held(RouterLayout::local_of(input));
}

/// The input VC that the packet in this one waits for: that of the packet which holds the VC it wants or fills the
/// buffer at its other end, or, where its next flit is not here yet, the one before.
std::optional<Vc> RouterWaits::blocker_of(Vc input) const {
    const RouterId router = RouterLayout::router_of(input);
    const std::uint32_t here = RouterLayout::local_of(input);
    if (routers_[router] == nullptr) return std::nullopt;
    if (held(input) == 0) {
        if (layout_.is_node(here)) return std::nullopt;
        const Vc before = layout_.across[input];
        const RouterId sender = RouterLayout::router_of(before);
        if (routers_[sender] == nullptr) return std::nullopt;
        const auto owner = routers_[sender]->owner(RouterLayout::local_of(before));
        return owner ? std::optional(RouterLayout::number(sender, *owner)) : std::nullopt;
    }
    const auto wait = routers_[router]->wait_of(here);
    if (!wait) return std::nullopt;
    const Vc vc = RouterLayout::number(router, wait->vc);
    return wait->here ? vc : layout_.across[vc];
}

std::string RouterWaits::cycle() const {
    std::optional<Vc> at;
    layout_.for_each_vc([&](Vc vc) {
        if (!at && held(vc) > 0) at = vc;
    });
    const std::size_t unseen = layout_.across.size();
    std::vector<Vc> cycle;
    std::vector<std::size_t> position(unseen, unseen);
    for (; at && position[*at] == unseen; at = blocker_of(*at)) {
        position[*at] = cycle.size();
        cycle.push_back(*at);
    }
    std::string text;
    for (std::size_t i = at ? position[*at] : 0; i < cycle.size(); ++i)
        text += layout_.name_of(cycle[i]) + " waits for ";
    return at ? text + layout_.name_of(*at) : text + "nothing that is known";
}

RouterDeadlock RouterWaits::deadlock(Cycles now, std::uint64_t in_flight, Cycles patience) const {
    return RouterDeadlock("deadlock at cycle " + std::to_string(now) + ": " + std::to_string(in_flight) +
                          " flits in flight, none moved for " + std::to_string(patience) +
                          " cycles; cycle of waits: " + cycle());
}

}   // namespace oscar
