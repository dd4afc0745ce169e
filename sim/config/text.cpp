#include "sim/config/text.hpp"

#include <fmt/format.h>

namespace oscar {

std::string number_text(double value) { return fmt::format("{}", value); }

std::string in_quotes(std::string_view text) {
    constexpr std::size_t shown = 60;
    return text.size() <= shown ? fmt::format("'{}'", text) : fmt::format("'{}…'", text.substr(0, shown));
}

}   // namespace oscar
