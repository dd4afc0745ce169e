// Notes of a report: remarks on an experiment in words, one line each.
#pragma once

#include <string>
#include <vector>

#include "models/network/topology/routes.hpp"
#include "sim/parameters/parameters.hpp"

namespace oscar {

/// The notes on an experiment: what is not simulated, which nodes differ, what the tuner chose, what background traffic
/// overloads, which buffers limit the rate of their links, which links are slower than they seem, which order or
/// timeout decides times.
std::vector<std::string> notes_on(const Parameters& parameters, const Routes& routes);

}   // namespace oscar
