// Graphviz drawing of a topology.
#pragma once

#include <string>

#include "models/network/topology/topology.hpp"

namespace oscar {

/// Text for Graphviz: ranks are boxes; switches are circles, the darker the more hops from the nearest rank; the
/// bandwidth of most links is the caption, and the others have theirs. Two directions with the same parameters are one
/// line without arrows; any other link is an arrow.
std::string to_dot(const Topology& topology);

}   // namespace oscar
