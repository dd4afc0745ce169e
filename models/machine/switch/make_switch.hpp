// Factory of the switches of a flit machine, by which a user's own switch takes the place of the supplied one.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "models/machine/flit/linked_module.hpp"

namespace oscar {

struct PacketOwner;

/// Makes the module of a switch, with this name, in the hierarchy of the module under construction. The owner is for
/// switches at which packets begin or end (models/machine/flit/port_module.hpp); others ignore it.
using MakeSwitch = std::function<std::unique_ptr<LinkedModule>(const std::string& name,
                                                               const LinkedModuleParams& params, PacketOwner& owner)>;

/// The supplied switch: models/machine/switch/switch.hpp.
std::unique_ptr<LinkedModule> make_switch(const std::string& name, const LinkedModuleParams& params,
                                          PacketOwner& owner);

}   // namespace oscar
