// Drawings of topologies for `oscar-sim describe topology … --dot`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace oscar {

/// Text for Graphviz (models/network/topology/dot.hpp). `what`: a kind of topology, or the file of an experiment
/// (*.yaml). Each of `assignments` is KEY=VALUE as `--set` takes it; for a kind, keys are its parameters, or begin with
/// `network.`. `ranks`: by default the experiment's, or 8 for a kind. Throws InputError.
std::string draw_topology(const std::string& what, std::optional<std::uint32_t> ranks,
                          const std::vector<std::string>& assignments);

}   // namespace oscar
