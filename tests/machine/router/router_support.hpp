// Networks of router modules, each with a kernel of its own.
#pragma once

#include "models/machine/router/router_machine.hpp"
#include "tests/machine/flit/kernel_stand.hpp"
#include "tests/network/event/fabric_support.hpp"

namespace oscar::test {

template <>
class Stand<RouterMachine> : public KernelStand {
public:
    Stand(const FabricParams& params, const std::vector<std::vector<Hop>>&, FabricClient& client,
          const RouterGrid& grid, const VcRouterParams& router, const RouterMachineParams& machine = {})
        : KernelStand([&] { return std::make_unique<RouterMachine>(params, grid, router, machine, client); }) {}
};

}   // namespace oscar::test
