// The event core of a fidelity.
#pragma once

#include <memory>

#include "models/network/core/fabric.hpp"

namespace oscar::inline network {

/// Throws std::invalid_argument for fidelity flit, which is SystemC: models/machine/flit/flit_machine.hpp.
std::unique_ptr<Fabric> make_fabric(TimingFidelity fidelity, const FabricParams& params, FabricClient& client);

}   // namespace oscar::inline network
