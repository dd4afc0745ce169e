// The input-queued router of a network, with its delays converted from times to cycles.
#pragma once

#include <algorithm>

#include "models/network/params/network_params.hpp"

namespace oscar {

/// The parameters of input-queued routers; null where there are switches with queues at their outputs.
inline const InputQueuedParams* input_queued(const NetworkParams& network) {
    return std::get_if<InputQueuedParams>(&network.switches.architecture.params);
}

/// The time of a flit on a link. Law: exact where divides_evenly().
constexpr Time router_cycle(const NetworkParams& network) {
    return serialization(network.flit, network.link.bandwidth);
}
/// True if a cycle is a whole number of picoseconds, so that cycles do not drift.
constexpr bool divides_evenly(const NetworkParams& network) {
    return network.flit.count * 8'000'000 % network.link.bandwidth.mbps == 0;
}

/// The first whole number of cycles that is not shorter.
constexpr Cycles router_cycles(const NetworkParams& network, Time time) {
    const std::int64_t cycle = router_cycle(network).ps;
    return static_cast<Cycles>((time.ps + cycle - 1) / cycle);
}

/// Limit of a delay. A longer one would describe no switch or cable, but a queue of millions of flits in each.
inline constexpr Cycles most_delay_cycles = 1'000'000;

/// Switch traversal takes the switch latency, one cycle at least; a link the propagation and one cycle in which the
/// flit leaves. Both are rounded up to whole cycles. Precondition: neither is above most_delay_cycles.
inline VcRouterParams vc_router(const InputQueuedParams& params, const NetworkParams& network) {
    VcRouterParams router;
    static_cast<InputQueuedParams&>(router) = params;
    router.switch_delay =
        static_cast<std::uint32_t>(std::max<Cycles>(1, router_cycles(network, network.switches.latency)));
    router.link_delay = static_cast<std::uint32_t>(1 + router_cycles(network, network.link.propagation));
    return router;
}

}   // namespace oscar
