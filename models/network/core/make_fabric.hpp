// The network of a fidelity.
#pragma once

#include <memory>

#include "models/network/core/fabric.hpp"

namespace oscar {

std::unique_ptr<Fabric> make_fabric(TimingFidelity fidelity, const FabricParams& params, FabricClient& client);

}   // namespace oscar
