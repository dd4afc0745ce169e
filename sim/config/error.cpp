#include "sim/config/error.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/config/utf8.hpp"

namespace oscar::inline config {
namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

std::string one_line(std::string_view text) {
    std::string line;
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        if (text.front() == '\n') line += "\\n";
        else if (length == 0 || is_control(text.front()))
            line += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
        else line += text.substr(0, length);
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return line;
}

}   // namespace

InputError::InputError(std::string_view what) : std::runtime_error(one_line(what)) {}

}   // namespace oscar::inline config
