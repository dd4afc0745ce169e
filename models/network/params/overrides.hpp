// Links that differ from the others.
#pragma once

#include <optional>
#include <string_view>

#include "models/network/params/network_params.hpp"

namespace oscar {

/// True if `name` matches `pattern`, in which each * stands for any characters, also none.
bool matches(std::string_view pattern, std::string_view name);

/// Changes the links that each entry names, in order; with both `link` and `node`, those that are both. Returns the
/// number of the first entry that names no link.
std::optional<std::size_t> apply_overrides(const std::vector<LinkOverride>& overrides, Topology& topology);

/// The topology of a network, overrides applied. Throws std::invalid_argument when its sizes do not fit `ranks` or an
/// override names no link.
Topology make_topology(const NetworkParams& network, std::uint32_t ranks);

}   // namespace oscar
