// RouterNetwork looked at from outside its cycles: what waits for what, and whether all credits are accounted for.
#include "models/network/router/network.hpp"

namespace oscar {

template <class F>
void RouterNetwork::for_each_vc(F&& f) const {
    for (std::uint32_t r = 0; r < grid_.routers(); ++r)
        for (std::uint32_t p = 0; p < router_ports; ++p)
            if (p == 0 || grid_.neighbour(r, static_cast<Port>(p)))
                for (std::uint32_t v = 0; v < vcs_; ++v) f(number(r, p, v));
}

std::string RouterNetwork::name_of(Vc input) const {
    const std::uint32_t here = local(input);
    return "router " + grid_.name(router_of(input)) + " port " + to_text(static_cast<Port>(port_of_[here])) + " VC " +
           std::to_string(here % vcs_);
}

/// The input VC that the packet in this one waits for: that of the packet which holds the VC it wants or fills the
/// buffer behind it, or, where its next flit is not here yet, the one before.
std::optional<RouterNetwork::Vc> RouterNetwork::blocker_of(Vc input) const {
    const InputVc& vc = inputs_[input];
    const auto behind = [&](Vc output) {
        return outputs_[output].owner && outputs_[output].owner != input ? outputs_[output].owner
                                                                         : std::optional(across_[output]);
    };
    const bool from_node = port_of_[local(input)] == index_of(Port::node);
    if (buffers_.size(input) == 0) return from_node ? std::nullopt : outputs_[across_[input]].owner;
    if (vc.port == Port::node) return std::nullopt;   // nodes take all
    if (vc.output) return across_[*vc.output];
    for (std::uint32_t v = 0; v < vcs_; ++v) {
        const Vc output = number(router_of(input), index_of(vc.port), v);
        if ((vc.classes >> class_of_[local(output)] & 1) != 0) return behind(output);
    }
    return std::nullopt;
}

std::string RouterNetwork::cycle_of_waits() const {
    std::optional<Vc> at;
    for_each_vc([&](Vc vc) {
        if (!at && buffers_.size(vc) > 0) at = vc;
    });
    std::vector<Vc> way;
    std::vector<std::size_t> position(inputs_.size(), inputs_.size());
    for (; at && position[*at] == inputs_.size(); at = blocker_of(*at)) {
        position[*at] = way.size();
        way.push_back(*at);
    }
    std::string text;
    for (std::size_t i = at ? position[*at] : 0; i < way.size(); ++i) text += name_of(way[i]) + " waits for ";
    return at ? text + name_of(*at) : text + "nothing that is known";
}

void RouterNetwork::check_progress(Cycles patience) const {
    if (in_flight() == 0 || now_ - last_move_ <= patience) return;
    throw RouterDeadlock("deadlock at cycle " + std::to_string(now_) + ": " + std::to_string(in_flight()) +
                         " flits in flight, none moved for " + std::to_string(patience) +
                         " cycles; cycle of waits: " + cycle_of_waits());
}

std::optional<std::string> RouterNetwork::find_conservation_problem() const {
    std::vector<std::uint32_t> held(inputs_.size());   // per input VC: its flits and credits, wherever they are
    const auto arriving = [&](const Moving& moving) { ++held[moving.vc]; };
    from_sources_.for_each(arriving);
    between_routers_.for_each(arriving);
    credits_to_sources_.for_each([&](Vc input) { ++held[input]; });
    std::vector<std::uint32_t> to_sinks(inputs_.size());   // per output VC to a node
    to_nodes_.for_each([&](const Moving& moving) { ++to_sinks[moving.vc]; });
    const auto is_sink = [&](Vc output) { return port_of_[local(output)] == index_of(Port::node); };
    credits_.for_each([&](Vc output) { is_sink(output) ? ++to_sinks[output] : ++held[across_[output]]; });

    std::optional<std::string> defect;
    for_each_vc([&](Vc vc) {
        const bool from_node = is_sink(vc);
        const std::uint32_t free =
            from_node ? sources_.credits(router_of(vc), local(vc)) : outputs_[across_[vc]].credits;
        if (free + held[vc] + buffers_.size(vc) != params_.vc_flits)
            defect = "credits and flits of " + name_of(vc) + " do not add up";
        if (from_node && outputs_[vc].credits + to_sinks[vc] != params_.vc_flits)
            defect = "credits to the node at " + name_of(vc) + " do not add up";
    });
    return defect;
}

}   // namespace oscar
