// Ends of links: flits and credits that have been put and have not come yet.
#pragma once

#include <cstdint>
#include <functional>

#include "models/machine/router/cycled_module.hpp"
#include "models/machine/router/vc_link_side.hpp"
#include "models/network/event/fifo.hpp"

namespace oscar {

/// The end of a link towards a module, which is woken for each flit.
class FlitInput : public VcFlitSink {
public:
    /// `delay`: cycles from a flit's last bit until the module has it. `owner` must outlive it.
    FlitInput(CycledModule& owner, Cycles delay) : owner_(owner), delay_(delay) {}

    void put(std::uint8_t vc, const RouterFlit& flit, Time, Time end) override {
        flits_.push_back({owner_.clock().first_from(end) + delay_, vc, flit});
        owner_.wake(flits_[flits_.size() - 1].cycle);
    }
    /// Calls f(vc, flit) for all that have come by cycle `now`.
    template <class F>
    void receive(Cycles now, F&& f) {
        for (; !flits_.empty() && flits_.front().cycle <= now; flits_.pop_front())
            f(flits_.front().vc, flits_.front().flit);
    }
    /// The cycle in which the next one comes, or no_cycle.
    Cycles next() const { return flits_.empty() ? no_cycle : flits_.front().cycle; }
    /// A job begins: no flit is on the link.
    void clear() { flits_.clear(); }

private:
    struct Arriving {
        Cycles cycle = 0;
        std::uint8_t vc = 0;
        RouterFlit flit;
    };
    CycledModule& owner_;
    Cycles delay_;
    Fifo<Arriving> flits_;
};

/// The end of a link away from a module, which is woken for credits while it waits for one.
class CreditInput : public CreditSink {
public:
    /// `delay`: cycles from a credit's return to its use. `waits`: whether the owner waits for credit.
    CreditInput(CycledModule& owner, Cycles delay, std::function<bool()> waits)
        : owner_(owner), delay_(delay), waits_(std::move(waits)) {}

    void give_back(std::uint8_t vc, Bytes, Time at) override {
        credits_.push_back({owner_.clock().first_from(at) + delay_, vc});
        if (waits_()) owner_.wake(credits_.front().cycle);
    }
    /// Calls f(vc) for all that can be used in cycle `now`.
    template <class F>
    void receive(Cycles now, F&& f) {
        for (; !credits_.empty() && credits_.front().cycle <= now; credits_.pop_front()) f(credits_.front().vc);
    }
    /// The cycle from which on the next one can be used, or no_cycle.
    Cycles next() const { return credits_.empty() ? no_cycle : credits_.front().cycle; }
    /// A job begins: no credit is on the link.
    void clear() { credits_.clear(); }

private:
    struct Returning {
        Cycles cycle = 0;
        std::uint8_t vc = 0;
    };
    CycledModule& owner_;
    Cycles delay_;
    std::function<bool()> waits_;
    Fifo<Returning> credits_;
};

}   // namespace oscar
