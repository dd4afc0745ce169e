// A router with its links: what a user's own router derives from.
#pragma once

#include <cstdint>
#include <deque>

#include "models/machine/base/waveform.hpp"
#include "models/machine/router/link_ends.hpp"
#include "models/network/grid/router_stages.hpp"

namespace oscar {

/// The data that the routers of a grid share. All of it must outlive them.
struct RouterGridParams {
    const RouterLayout& layout;
    const RouterClock& clock;
    Bytes flit;
    Waveform* waveform = nullptr;
};

/// Ports for flits and credits of each link. Index: index_of(Port). Those at the edges of a mesh stay unbound.
class LinkedRouter : public CycledModule {
public:
    LinkedRouter(const sc_core::sc_module_name& name, const RouterGridParams& params, RouterId router);

    template <class Sink>
    using OptionalPort = sc_core::sc_port<Sink, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;
    sc_core::sc_vector<sc_core::sc_export<VcFlitSink>> in;
    sc_core::sc_vector<OptionalPort<CreditSink>> credit_out;   ///< for the buffers of each input
    sc_core::sc_vector<OptionalPort<VcFlitSink>> out;
    sc_core::sc_vector<sc_core::sc_export<CreditSink>> credit_in;

    /// A job begins: flits and credits on the links are forgotten. A router that remembers more forgets it, and calls
    /// this.
    virtual void restart();
    /// The stages in which its flits wait, for reports of deadlocks; null for a router without such stages.
    virtual const RouterStages* stages() const { return nullptr; }

protected:
    /// True if credits concern it now; credits that come at other times do not wake it.
    virtual bool waits_for_credit() const = 0;

    const RouterGridParams& params() const { return params_; }
    RouterId router() const { return router_; }
    /// The flits that have come by a port and were not received yet.
    FlitInput& flits(std::uint32_t port) { return flits_[port]; }
    CreditInput& credits(std::uint32_t port) { return credits_[port]; }
    /// The next cycle in which something comes that concerns it, or no_cycle.
    Cycles next_to_come() const;

private:
    const RouterGridParams params_;
    const RouterId router_;
    std::deque<FlitInput> flits_;
    std::deque<CreditInput> credits_;
};

}   // namespace oscar
