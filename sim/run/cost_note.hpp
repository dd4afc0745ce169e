// Cost note of a report: which work beside coding is part of an AllReduce's time, and which is assumed to be hidden.
#pragma once

#include <optional>
#include <string>

#include "sim/parameters/parameters.hpp"

namespace oscar {

/// "charged: ...; hidden, no time: ...", each work with the keys that decide; none where no method
/// compresses.
std::optional<std::string> note_on_costs(const Parameters& parameters);

}   // namespace oscar
