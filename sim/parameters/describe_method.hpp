// Description of a method, which is read by a function of its own.
#pragma once

#include "sim/config/description.hpp"
#include "sim/parameters/parameters.hpp"

namespace oscar::inline parameters {

/// The kinds of codecs, and the parameters that each may have beside its own.
ValueDescription describe_value(const Method& method);

}   // namespace oscar::inline parameters
