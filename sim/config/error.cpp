#include "sim/config/error.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/config/utf8.hpp"

namespace oscar {
namespace {

unsigned char byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

/// True if `character`, one of UTF-8, is a control character: of ASCII, or one of U+0080 to U+009F.
bool is_control(std::string_view character) {
    if (character.size() == 1) return byte_at(character, 0) < 0x20 || character[0] == 0x7f;
    return character.size() == 2 && byte_at(character, 0) == 0xc2 && byte_at(character, 1) < 0xa0;
}

}   // namespace

std::string printable(std::string_view text) {
    std::string line;
    while (!text.empty()) {
        const std::size_t length = std::max<std::size_t>(utf8_length(text), 1);
        const std::string_view character = text.substr(0, length);
        const bool is_text = utf8_length(text) > 0 && !is_control(character);
        if (is_text) line += character;
        else if (character == "\n") line += "\\n";
        else
            for (std::size_t i = 0; i < length; ++i) line += fmt::format("\\x{:02x}", byte_at(character, i));
        text.remove_prefix(length);
    }
    return line;
}

bool is_printable(std::string_view text) { return printable(text) == text; }

InputError::InputError(std::string_view what) : std::runtime_error(printable(what)) {}

ConfigError::ConfigError(std::string_view where, std::string_view path, std::string_view what)
    : InputError(fmt::format("{}: {}{}{}", where, path, path.empty() ? "" : ": ", what)), place(where), reason(what) {}

}   // namespace oscar
