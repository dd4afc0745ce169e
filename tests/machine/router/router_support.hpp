// Networks of router modules, each with a kernel of its own.
#pragma once

#include "models/machine/router/router_machine.hpp"
#include "models/machine/timeline.hpp"
#include "tests/machine/flit/own_kernel.hpp"
#include "tests/network/core/fabric_support.hpp"

namespace oscar::test {

template <>
class Stand<RouterMachine> {
public:
    Stand(const FabricParams& params, const std::vector<std::vector<Hop>>&, FabricClient& client,
          const RouterGrid& grid, const VcRouterParams& router, const RouterMachineParams& machine = {})
        : timeline_(kernel_.within([&] {
              return std::make_unique<Timeline>("timeline",
                                                std::make_unique<RouterMachine>(params, grid, router, machine, client));
          })) {}
    ~Stand() {
        kernel_.within([&] { timeline_.reset(); });
    }
    Fabric& fabric() { return timeline_->fabric(); }
    /// Events and activations.
    std::uint64_t steps() const { return timeline_->steps(); }
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
