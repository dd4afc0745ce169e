// A network of SystemC modules on a stand: with a kernel and a timeline of its own.
#pragma once

#include <memory>

#include "models/machine/timeline.hpp"
#include "tests/machine/flit/own_kernel.hpp"

namespace oscar::test {

class KernelStand {
public:
    /// `make` returns the network; it is called within the kernel.
    template <class Make>
    explicit KernelStand(Make make)
        : timeline_(kernel_.within([&] { return std::make_unique<Timeline>("timeline", make()); })) {}
    ~KernelStand() {
        kernel_.within([&] { timeline_.reset(); });
    }
    Fabric& fabric() { return timeline_->fabric(); }
    /// Events and activations.
    std::uint64_t simulated_events() const { return timeline_->simulated_events(); }
    /// Does something at the kernel's present time, as who sends must.
    template <class Action>
    void within(Action action) {
        kernel_.within(action);
    }
    void run() {
        kernel_.within([&] { timeline_->run_all(); });
    }

private:
    OwnKernel kernel_;
    std::unique_ptr<Timeline> timeline_;
};

}   // namespace oscar::test
