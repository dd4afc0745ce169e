// Names of the units of quantities, for those who describe what a configuration may hold.
#pragma once

#include <string_view>
#include <vector>

#include "models/core/units.hpp"

namespace oscar {

/// Each spelling that the parser of the quantity takes (quantity.hpp).
std::vector<std::string_view> unit_names(Time);
std::vector<std::string_view> unit_names(Bytes);       ///< B, then binary units, then decimal ones
std::vector<std::string_view> unit_names(Bandwidth);   ///< bits a second before bytes a second
std::vector<std::string_view> unit_names(Frequency);   ///< from the smallest on

}   // namespace oscar
