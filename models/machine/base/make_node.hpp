// Nodes of a machine around the ports by which they reach its network.
#pragma once

#include <functional>
#include <memory>

#include <systemc>

#include "models/core/index.hpp"

namespace oscar {

/// Makes a node's port, in the hierarchy of the module under construction.
using MakePort = std::function<std::unique_ptr<sc_core::sc_module>()>;

/// Makes a rank's node with its port, in the hierarchy of the module under construction, and owns both.
using MakeNode = std::function<void(Rank rank, const MakePort& make_port)>;

/// A node that is nothing but its port, for networks without the rest of a machine.
class BareNode : public sc_core::sc_module {
public:
    BareNode(const sc_core::sc_module_name& name, const MakePort& make_port) : sc_module(name), port_(make_port()) {}

private:
    std::unique_ptr<sc_core::sc_module> port_;
};

}   // namespace oscar
