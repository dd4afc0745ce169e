// Made while building, by source_hash.cmake.
#pragma once

#include <string_view>

namespace oscar {

/// SHA-256 over names and contents of all C++ sources in models/ and sim/, in hexadecimal digits.
extern const std::string_view source_hash;

}   // namespace oscar
