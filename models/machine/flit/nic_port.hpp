// NIC port: where a node's packets enter the network and leave it.
#pragma once

#include "models/machine/flit/port_module.hpp"

namespace oscar {

/// Sends complete packets, and takes each packet as it arrives. It forwards nothing.
class NicPort : public PortModule {
public:
    using PortModule::PortModule;

protected:
    void receive(std::uint32_t input, const Flit& flit, ExactTime, ExactTime end) override { take(input, flit, end); }
};

}   // namespace oscar
