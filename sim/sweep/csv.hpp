// Comma-separated values as in RFC 4180.
#pragma once

#include <string>

#include "sim/sweep/sql.hpp"

namespace oscar {

/// A line of names, then a line per row; lines end in CR LF. NULL is an empty field; a real number is the shortest text
/// that reads back as the same; a text with a comma, a quote or a line break stands in quotes. A text that a
/// spreadsheet would compute, for it begins with = + - @ or a tab, begins with an apostrophe instead.
std::string to_csv(const sql::Table& table);

}   // namespace oscar
