// Router: input-queued, with virtual channels.
#pragma once

#include <array>
#include <cstdint>

#include "models/machine/router/linked_router.hpp"

namespace oscar {

/// The RouterStages of a router, between its links.
class RouterModule : public LinkedRouter {
public:
    RouterModule(const sc_core::sc_module_name& name, const RouterGridParams& params, RouterId router);

    /// A job begins: buffers are empty, and nothing is remembered of turns.
    void restart() override;
    const RouterStages* stages() const override { return &stages_; }

protected:
    Cycles act(Cycles now) override;
    bool waits_for_credit() const override { return stages_.held() > 0; }

private:
    void receive(std::uint32_t port, Cycles now);
    void send(const RouterStages::Departure& departure, Cycles now);

    RouterStages stages_;
    std::array<Level*, router_ports> buffers_{};   ///< for a waveform: flits in the buffers of each port
};

}   // namespace oscar
