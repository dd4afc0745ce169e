#include "sim/config/error.hpp"

#include <fmt/format.h>

namespace oscar {
namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

std::string one_line(std::string_view text) {
    std::string line;
    for (const char c : text) {
        if (c == '\n') line += "\\n";
        else if (is_control(c)) line += fmt::format("\\x{:02x}", static_cast<unsigned>(c));
        else line += c;
    }
    return line;
}

}   // namespace

InputError::InputError(std::string_view what) : std::runtime_error(one_line(what)) {}

}   // namespace oscar
