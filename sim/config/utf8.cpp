#include "sim/config/utf8.hpp"

#include <cstdint>

namespace oscar {
namespace {

std::uint8_t byte(std::string_view text, std::size_t at) {
    return at < text.size() ? static_cast<std::uint8_t>(text[at]) : 0;
}

/// Bytes that the first byte announces; 0 if no character begins with it.
std::size_t announced_length(std::uint8_t first) {
    if (first < 0x80) return 1;
    if (first < 0xc2) return 0;   // continues a character, or an overlong form of ASCII
    if (first < 0xe0) return 2;
    if (first < 0xf0) return 3;
    return first < 0xf5 ? 4 : 0;
}

/// True if the second byte is in the range that the first one leaves to it.
bool second_fits(std::uint8_t first, std::uint8_t second) {
    const std::uint8_t least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    const std::uint8_t most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    return least <= second && second <= most;
}

}   // namespace

std::size_t utf8_length(std::string_view text) {
    const std::size_t length = text.empty() ? 0 : announced_length(byte(text, 0));
    if (length > 1 && !second_fits(byte(text, 0), byte(text, 1))) return 0;
    for (std::size_t i = 2; i < length; ++i)
        if ((byte(text, i) & 0xc0) != 0x80) return 0;
    return length;
}

bool is_utf8(std::string_view text) {
    while (const std::size_t length = utf8_length(text)) text.remove_prefix(length);
    return text.empty();
}

}   // namespace oscar
