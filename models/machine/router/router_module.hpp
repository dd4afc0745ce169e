// Router: input-queued, with virtual channels.
#pragma once

#include <array>
#include <cstdint>
#include <deque>

#include "models/machine/base/waveform.hpp"
#include "models/machine/router/link_ends.hpp"
#include "models/network/router/router_stages.hpp"

namespace oscar::inline machine {

/// What the routers of a grid have in common. All of it must outlive them.
struct RouterGridParams {
    const RouterLayout& layout;
    const RouterClock& clock;
    Bytes flit;
    Waveform* waveform = nullptr;
};

/// RouterStages behind links. Index of ports: index_of(Port). Those at the edges of a mesh stay unbound.
class RouterModule : public CycledModule {
public:
    /// `number`: in the grid.
    RouterModule(const sc_core::sc_module_name& name, const RouterGridParams& params, std::uint32_t number);

    template <class Sink>
    using OptionalPort = sc_core::sc_port<Sink, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;
    sc_core::sc_vector<sc_core::sc_export<VcFlitSink>> in;
    sc_core::sc_vector<OptionalPort<CreditSink>> credit_out;
    sc_core::sc_vector<OptionalPort<VcFlitSink>> out;
    sc_core::sc_vector<sc_core::sc_export<CreditSink>> credit_in;

    /// A job begins: buffers are empty, and nothing is remembered of turns.
    void restart();
    const RouterStages& stages() const { return stages_; }

private:
    Cycles act(Cycles now) override;
    void receive(std::uint32_t port, Cycles now);
    void send(const RouterStages::Departure& departure, Cycles now);

    const RouterGridParams params_;
    const std::uint32_t number_;
    RouterStages stages_;
    std::deque<FlitInput> inputs_;                 ///< per port
    std::deque<CreditInput> outputs_;              ///< per port
    std::array<Level*, router_ports> buffers_{};   ///< for a waveform: flits in the buffers of each port
};

}   // namespace oscar::inline machine
