// What `oscar-sim --version` says.
#pragma once

#include <string>

namespace oscar {

/// `oscar-sim 0.1.0`, and below it commit, compiler and the version of SystemC. The commit is "unknown" for a source
/// tree without its history, and ends in -dirty where files differ from it.
std::string version_text();

}   // namespace oscar
