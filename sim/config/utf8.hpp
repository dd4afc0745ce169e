// UTF-8 validation.
#pragma once

#include <cstddef>
#include <string_view>

namespace oscar {

/// Bytes of the first character of `text`; 0 if `text` is empty or begins with no character. Overlong forms, surrogates
/// and what lies beyond U+10FFFF are none. Source: Unicode 15, table 3-7.
std::size_t utf8_length(std::string_view text);

/// True if all of `text` is UTF-8.
bool is_utf8(std::string_view text);

}   // namespace oscar
