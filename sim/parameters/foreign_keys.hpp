// Keys that an experiment does not have: words that people try, and those of files that are no bases.
#pragma once

#include "sim/config/node.hpp"

namespace oscar {

/// ConfigError for a key at the root of `source` that a user may take for a parameter, with what says that here; and,
/// without its word, for an unknown one of another file than that of `source`: a base may name any file that the user
/// can read.
void check_foreign_keys(const ConfigNode& source);

}   // namespace oscar
