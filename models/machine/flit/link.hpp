// Link: one direction of a cable.
#pragma once

#include "models/core/span.hpp"
#include "models/machine/base/waveform.hpp"
#include "models/machine/flit/link_side.hpp"

namespace oscar {

/// Sees what a link carries.
struct LinkObserver {
    virtual ~LinkObserver() = default;
    /// A packet's bits were on the link, at its sender, in this span. Told in order, with the packet's tail.
    virtual void crossed(const Flit& tail, Span span) = 0;
    /// Credit is back at the sender at this time.
    virtual void returned(Time at) = 0;
};

/// Delays flits and credits by its propagation. It needs no process, for times travel with what it carries.
class Link : public sc_core::sc_module, public FlitSink, public CreditSink {
public:
    /// `observer` must outlive it.
    Link(const sc_core::sc_module_name& name, Time propagation, LinkObserver& observer, Waveform* waveform = nullptr);

    sc_core::sc_export<FlitSink> in;          ///< from the sender
    sc_core::sc_port<FlitSink> out;           ///< to the receiver
    sc_core::sc_export<CreditSink> returns;   ///< from the receiver
    sc_core::sc_port<CreditSink> credit;      ///< to the sender

    void put(const Flit& flit, ExactTime begin, ExactTime end) override;
    void give_back(std::uint8_t channel, Bytes size, Time at) override;

private:
    Time propagation_;
    LinkObserver& observer_;
    Time begin_;    ///< of the packet on it
    Level* busy_;   ///< for a waveform
};

}   // namespace oscar
