#include "models/network/params/input_queued_params.hpp"

#include <algorithm>

namespace oscar {

VcRouterParams vc_router(const InputQueuedParams& params, const NetworkParams& network) {
    VcRouterParams router;
    static_cast<InputQueuedParams&>(router) = params;
    router.switch_delay =
        static_cast<std::uint32_t>(std::max<Cycles>(1, router_cycles(network, network.switches.latency)));
    router.link_delay = static_cast<std::uint32_t>(1 + router_cycles(network, network.link.propagation));
    return router;
}

}   // namespace oscar
