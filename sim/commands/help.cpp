#include "sim/commands/help.hpp"

#include <fmt/ranges.h>

#include <sstream>
#include <string_view>

#include "sim/describe/wrap.hpp"

namespace oscar {
namespace {

constexpr std::size_t names_width = 28, least_meaning_width = 20;   // widths of the two columns

}   // namespace

HelpFormatter::HelpFormatter(std::size_t width)
    : width_(width), meanings_(std::max(width, names_width + least_meaning_width) - names_width) {
    column_width(names_width);
    label("UINT", "N");
}

std::string HelpFormatter::lines_of(const std::string& meaning) const {
    return fmt::format("{}", fmt::join(wrapped(meaning, meanings_), "\n"));
}

std::string HelpFormatter::make_description(const CLI::App* command) const {
    return paragraph(command->get_description(), width_);
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
    if (option->get_positional()) return "";
    std::string text = Formatter::make_option_opts(option);
    constexpr std::string_view several = " ...";   // which CLI11 also promises where one value may follow each time
    if (const std::size_t at = text.find(several); at != text.npos && !option->get_allow_extra_args())
        text.erase(at, several.size());
    return text;
}

std::string HelpFormatter::make_option_desc(const CLI::Option* option) const {
    return lines_of(Formatter::make_option_desc(option));
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
    std::ostringstream text;
    CLI::detail::format_help(text, command->get_name(), lines_of(command->get_description()), names_width);
    return text.str();
}

}   // namespace oscar
