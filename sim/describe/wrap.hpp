// Text in lines of a given width.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace oscar {

/// `text` broken at spaces into lines of at most `width` characters, at least one line; a longer word keeps a line of
/// its own.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

/// `text` wrapped as one text whose lines end in '\n'; lines after the first begin with `indent` spaces, which the
/// width includes.
std::string paragraph(std::string_view text, std::size_t width, std::size_t indent = 0);

}   // namespace oscar
