// Networks of SystemC modules for the tests that run every fidelity.
#pragma once

#include "models/machine/flit_machine.hpp"
#include "tests/machine/flit/kernel_stand.hpp"
#include "tests/network/event/fabric_support.hpp"

namespace oscar::test {

/// A client that does nothing.
struct Nobody : FabricClient {
    void departed(std::uint64_t, std::uint32_t, Time, Time) override {}
    void arrived(std::uint64_t, std::uint32_t) override {}
    void called(std::uint32_t, std::uint32_t) override {}
};

/// A flit machine of which each port sends `quantum` flits in one activation.
template <std::uint32_t quantum>
struct FlitNetwork : FlitMachine {
    using FlitMachine::FlitMachine;
};

/// Nodes at which paths begin or end are the ranks, and come before all others.
inline std::uint32_t ranks_of(const FabricParams& params, const std::vector<std::vector<Hop>>& paths) {
    std::uint32_t ranks = 0;
    for (const auto& path : paths)
        ranks = std::max(
            {ranks, params.links[path.front().edge].from.value + 1, params.links[path.back().edge].to.value + 1});
    return ranks;
}

template <std::uint32_t quantum>
class Stand<FlitNetwork<quantum>> : public KernelStand {
public:
    Stand(const FabricParams& params, const std::vector<std::vector<Hop>>& paths, FabricClient& client)
        : Stand(params, paths, client, FlitMachineParams{ranks_of(params, paths), quantum}) {}
    Stand(const FabricParams& params, const std::vector<std::vector<Hop>>&, FabricClient& client,
          const FlitMachineParams& machine)
        : KernelStand([&] { return std::make_unique<FlitNetwork<quantum>>(params, machine, client); }) {}
};

}   // namespace oscar::test
