// What the terminal behind a stream can show.
#pragma once

#include <cstddef>
#include <cstdio>

namespace oscar {

inline constexpr std::size_t usual_width = 80;

/// Characters in a line: COLUMNS where it is a number above 0, else what the terminal says, else usual_width.
std::size_t width_of(std::FILE* stream);

bool is_terminal(std::FILE* stream);

/// True if `stream` is a terminal that takes colours, and the user has not set NO_COLOR (https://no-color.org).
bool takes_colours(std::FILE* stream);

}   // namespace oscar
