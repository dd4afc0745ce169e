#include "sim/describe/wrap.hpp"

#include <algorithm>

namespace oscar {
namespace {

/// Characters of UTF-8 text.
std::size_t length(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

}   // namespace

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
    std::vector<std::string> lines{""};
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (!lines.back().empty() && length(lines.back()) + 1 + length(word) > width) lines.emplace_back();
        if (!lines.back().empty()) lines.back() += ' ';
        lines.back() += word;
    }
    return lines;
}

std::string paragraph(std::string_view text, std::size_t width, std::size_t indent) {
    std::string result;
    const std::string margin(indent, ' ');
    for (const std::string& line : wrapped(text, width > indent ? width - indent : 1))
        result += (result.empty() ? "" : margin) + line + "\n";
    return result;
}

}   // namespace oscar
