// Tables and figures for a terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/terminal/terminal.hpp"

namespace oscar {

/// The screen that a text is laid out for.
struct Screen {
    std::size_t width = usual_width;   ///< characters
    bool colours = false;
};
inline constexpr std::size_t any_width = 1 << 20;

enum class TextStyle : std::uint8_t { plain, good, bad, strong };

/// `text` in the style's colour, where the screen has colours.
std::string styled(std::string_view text, TextStyle style, const Screen& screen);

struct Cell {
    Cell(std::string content, TextStyle its_style = TextStyle::plain) : text(std::move(content)), style(its_style) {}
    Cell(const char* content) : text(content) {}
    std::string text;
    TextStyle style = TextStyle::plain;
};

using Row = std::vector<Cell>;

/// Rows below their headings, which are the first; all equally long. The first `names` columns stand to the left, the
/// others to the right, below headings that do. Where the width does not suffice, the first column is broken into
/// several lines, down to `least_name` characters. No cell is cut, but for a text of the first column beyond
/// `longest_name` bytes, which says how long it was. Bytes that are no printable UTF-8 are escaped.
std::string aligned(const std::vector<Row>& rows, const Screen& screen, std::size_t names = 1);

inline constexpr std::size_t least_name = 12, longest_name = 4096;

/// True if these rows, aligned, keep to the width of the screen.
bool fits(const std::vector<Row>& rows, const Screen& screen);

std::string microseconds(std::int64_t ps);   ///< 1500000 is "1.500"
std::string percent(double share);           ///< 0.125 is "12.5"

}   // namespace oscar
