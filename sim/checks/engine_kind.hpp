// Checks of `engine.kind` and `engine.place`.
#pragma once

#include "sim/parameters/parameters.hpp"

namespace oscar {

/// ConfigError: a kind whose arrays are those of the RTL, with a method, payload or number of streams that it does not
/// have; RTL that nobody has made.
void check_engine_kind(const Experiment& experiment);

/// ConfigError: coding by a GPU without its speeds, or with speeds that nobody can have measured; a NIC that would have
/// to add what it does not decode; a kind, or costs, of an engine in the NIC.
void check_engine_place(const Experiment& experiment);

}   // namespace oscar
