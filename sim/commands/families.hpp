// `oscar-sim describe`: families, kinds and parameters.
#pragma once

#include <string>
#include <string_view>

namespace oscar::inline commands {

/// Without a family: all families, a line each. With one: its kinds or parameters. With a kind: that kind's parameters.
/// Throws InputError for an unknown name, naming the known ones.
std::string describe(std::string_view family, std::string_view kind);

}   // namespace oscar::inline commands
