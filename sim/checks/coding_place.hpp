// Check of where messages are coded.
#pragma once

#include "sim/parameters/parameters.hpp"

namespace oscar {

/// ConfigError: coding by a GPU without its speeds, or with speeds that nobody can have measured; a NIC that would have
/// to add what it does not decode; a kind, or costs, of an engine in the NIC.
void check_engine_place(const Experiment& experiment);

}   // namespace oscar
