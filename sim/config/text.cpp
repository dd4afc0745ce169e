#include "sim/config/text.hpp"

#include <fmt/format.h>

namespace oscar::inline config {

std::string number_text(double value) { return fmt::format("{}", value); }

std::string in_quotes(std::string_view text) {
    std::size_t shown = 60;
    if (text.size() <= shown) return fmt::format("'{}'", text);
    while (shown > 57 && (text[shown] & 0xc0) == 0x80) --shown;   // not within a character of UTF-8
    return fmt::format("'{}…'", text.substr(0, shown));
}

}   // namespace oscar::inline config
