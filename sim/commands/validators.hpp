// Numbers on the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

namespace oscar {

/// Refuses what is no whole number of the range, as it was written: CLI11 would take -5 for 2^64 - 5. The help does not
/// name the range: CLI11 would write `UINT in [1 - 1024]`. `last` is how the error writes the largest.
CLI::Validator within(std::uint64_t least, std::uint64_t most, const std::string& last = "");

/// Any whole number.
CLI::Validator any_count();

}   // namespace oscar
