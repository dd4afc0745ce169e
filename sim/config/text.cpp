#include "sim/config/text.hpp"

#include <fmt/format.h>

namespace oscar {

std::string number_text(double value) { return fmt::format("{}", value); }

std::string shortened(std::string_view text, std::size_t most) {
    if (text.size() <= most) return std::string(text);
    std::size_t shown = most;
    while (shown + 3 > most && (text[shown] & 0xc0) == 0x80) --shown;
    return fmt::format("{}…", text.substr(0, shown));
}

std::string in_quotes(std::string_view text) { return fmt::format("'{}'", shortened(text)); }

}   // namespace oscar
