#include "sim/terminal/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace oscar {
namespace {

std::string_view variable(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

/// 0 for what is no number.
std::size_t number_in(std::string_view text) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() ? number : 0;
}

}   // namespace

std::size_t width_of(std::FILE* stream) {
    if (const std::size_t columns = number_in(variable("COLUMNS")); columns > 0) return columns;
    winsize size{};
    const bool has_width = ::ioctl(::fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return has_width ? size.ws_col : usual_width;
}

bool is_terminal(std::FILE* stream) { return ::isatty(::fileno(stream)) != 0; }

bool takes_colours(std::FILE* stream) {
    return is_terminal(stream) && variable("NO_COLOR").empty() && variable("TERM") != "dumb";
}

}   // namespace oscar
