#include "sim/terminal/text_table.hpp"

#include <fmt/format.h>
#include <libsmartcols/libsmartcols.h>
#include <locale.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <new>

namespace oscar {
namespace {

constexpr std::string_view between = "  ";

/// Escape sequences of a terminal, by TextStyle.
constexpr std::array<const char*, 4> sequences{"", "\033[32m", "\033[31m", "\033[1m"};
const char* sequence(TextStyle style) { return sequences[static_cast<std::size_t>(style)]; }

/// While one lives, this thread takes text for UTF-8, whatever the user's language.
class Utf8 {
public:
    Utf8() : utf8_(::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)) {
        if (utf8_ != nullptr) before_ = ::uselocale(utf8_);
    }
    ~Utf8() {
        if (utf8_ == nullptr) return;
        ::uselocale(before_);
        ::freelocale(utf8_);
    }
    Utf8(const Utf8&) = delete;
    Utf8& operator=(const Utf8&) = delete;

private:
    locale_t utf8_, before_ = nullptr;
};

using Table = std::unique_ptr<libscols_table, void (*)(libscols_table*)>;

Table make_table(const Screen& screen) {
    Table table(::scols_new_table(), ::scols_unref_table);
    if (!table) throw std::bad_alloc();
    ::scols_table_enable_colors(table.get(), screen.colours);
    ::scols_table_set_column_separator(table.get(), between.data());
    ::scols_table_set_termforce(table.get(), SCOLS_TERMFORCE_ALWAYS);
    return table;
}

std::size_t widest(const std::vector<Row>& rows, std::size_t column) {
    std::size_t width = 0;
    for (const Row& row : rows) width = std::max(width, row[column].text.size());
    return width;
}

/// The width that the table needs for its other columns and `least_name` characters of the first.
std::size_t least_width(const std::vector<Row>& rows) {
    std::size_t width = std::min(widest(rows, 0), least_name);
    for (std::size_t c = 1; c < rows.front().size(); ++c) width += between.size() + widest(rows, c);
    return width;
}

void add_columns(libscols_table* table, const Row& heads, std::size_t names, const Screen& screen) {
    for (std::size_t c = 0; c < heads.size(); ++c) {
        const int flags = (c == 0 ? SCOLS_FL_WRAP : 0) | (c < names ? 0 : SCOLS_FL_RIGHT);
        libscols_column* const column = ::scols_table_new_column(table, heads[c].text.c_str(), 0, flags);
        if (column == nullptr) throw std::bad_alloc();
        if (screen.colours) ::scols_cell_set_color(::scols_column_get_header(column), sequence(TextStyle::strong));
    }
}

void add_line(libscols_table* table, const Row& row, const Screen& screen) {
    libscols_line* const line = ::scols_table_new_line(table, nullptr);
    if (line == nullptr) throw std::bad_alloc();
    for (std::size_t c = 0; c < row.size(); ++c) {
        if (::scols_line_set_data(line, c, row[c].text.c_str()) != 0) throw std::bad_alloc();
        if (screen.colours && row[c].style != TextStyle::plain)
            ::scols_cell_set_color(::scols_line_get_cell(line, c), sequence(row[c].style));
    }
}

/// The rows, with names that a reader can take in: breaking one into lines takes the square of its length.
std::vector<Row> with_short_names(std::vector<Row> rows) {
    for (Row& row : rows) {
        std::string& name = row.front().text;
        if (name.size() <= longest_name) continue;
        std::size_t end = longest_name;
        while ((static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;   // the middle of a character of UTF-8
        name = fmt::format("{}... ({} bytes)", name.substr(0, end), name.size());
    }
    return rows;
}

/// Continued names leave spaces below the other cells of their row.
std::string without_trailing_spaces(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c == '\n') result.erase(result.find_last_not_of(' ') + 1);
        result += c;
    }
    return result.erase(result.find_last_not_of(' ') + 1);
}

std::string printed(libscols_table* table) {
    char* text = nullptr;
    if (::scols_print_table_to_string(table, &text) != 0) throw std::bad_alloc();
    const std::unique_ptr<char, void (*)(void*)> owner(text, std::free);
    return without_trailing_spaces(text) + "\n";
}

}   // namespace

std::string styled(std::string_view text, TextStyle style, const Screen& screen) {
    if (!screen.colours || style == TextStyle::plain) return std::string(text);
    return fmt::format("{}{}\033[0m", sequence(style), text);
}

std::string aligned(const std::vector<Row>& all, const Screen& screen, std::size_t names) {
    const Utf8 utf8;
    const std::vector<Row> rows = with_short_names(all);
    const Table table = make_table(screen);
    ::scols_table_set_termwidth(table.get(), std::max(screen.width, least_width(rows)));
    add_columns(table.get(), rows.front(), names, screen);
    for (std::size_t r = 1; r < rows.size(); ++r) add_line(table.get(), rows[r], screen);
    return printed(table.get());
}

bool fits(const std::vector<Row>& rows, const Screen& screen) { return least_width(rows) <= screen.width; }

std::string microseconds(std::int64_t ps) { return fmt::format("{:.3f}", static_cast<double>(ps) / 1e6); }
std::string percent(double share) { return fmt::format("{:.1f}", 100 * share); }

}   // namespace oscar
