// Link of a router: one direction of a cable.
#pragma once

#include "models/machine/base/waveform.hpp"
#include "models/machine/router/vc_link_side.hpp"
#include "models/network/topology/index.hpp"

namespace oscar {

/// Sees what a link of a router carries.
struct RouterLinkObserver {
    virtual ~RouterLinkObserver() = default;
    /// A flit's bits are on link `edge` of the topology, at its sender, from `begin` to `end`. Told when it is put.
    virtual void crossed(EdgeId edge, const RouterFlit& flit, Time begin, Time end) = 0;
};

/// Delays flits and credits by its propagation. It needs no process, for times travel with what it carries.
class RouterLink : public sc_core::sc_module, public VcFlitSink, public CreditSink {
public:
    /// `propagation`: whole cycles. `observer` must outlive it.
    RouterLink(const sc_core::sc_module_name& name, EdgeId edge, Time propagation, RouterLinkObserver& observer,
               Waveform* waveform = nullptr);

    sc_core::sc_export<VcFlitSink> in;        ///< from the sender
    sc_core::sc_port<VcFlitSink> out;         ///< to the receiver
    sc_core::sc_export<CreditSink> returns;   ///< from the receiver
    sc_core::sc_port<CreditSink> credit;      ///< to the sender

    void put(std::uint8_t vc, const RouterFlit& flit, Time begin, Time end) override;
    void give_back(std::uint8_t vc, Bytes size, Time at) override { credit->give_back(vc, size, at + propagation_); }

private:
    EdgeId edge_;
    Time propagation_;
    RouterLinkObserver& observer_;
    Level* busy_;   ///< for a waveform
};

}   // namespace oscar
