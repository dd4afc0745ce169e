// The identity of a result: a result is a function of (program, configuration, trace, seed) and of nothing else.
#pragma once

#include <string>
#include <string_view>

#include "sim/parameters/parameters.hpp"

namespace oscar {

/// SHA-256 over names and contents of all C++ sources in models/ and sim/, in hexadecimal digits; made while building,
/// by source_hash.cmake.
extern const std::string_view source_hash;

/// Version of the program and a hash of the sources that it was built from, `0.1.0+5f0c…`: equal for equal sources
/// wherever they were built.
std::string program_identity();

/// 32 hexadecimal digits: XXH3-128 over the program, the resolved configuration, the trace's contents and the seed, the
/// same on every host. The trace's path and the name of the experiment do not count: they change no result.
std::string point_key(std::string_view program, const Parameters& parameters, std::string_view trace_hash);

}   // namespace oscar
