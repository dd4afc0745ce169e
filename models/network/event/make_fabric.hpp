// The event core of a fidelity.
#pragma once

#include <memory>

#include "models/network/event/fabric.hpp"

namespace oscar {

/// Throws std::invalid_argument for fidelity flit, which is SystemC: models/machine/flit_machine.hpp.
std::unique_ptr<Fabric> make_fabric(TimingFidelity fidelity, const FabricParams& params, FabricClient& client);

}   // namespace oscar
