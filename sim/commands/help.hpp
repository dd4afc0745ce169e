// Help of the command line, in lines that fit the terminal.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>

namespace oscar {

/// CLI11's help with long meanings broken into lines of at most `width` characters, numbers as N, positionals
/// without a type (the usage says whether they are required), and "..." only where several values may follow an option.
class HelpFormatter : public CLI::Formatter {
public:
    explicit HelpFormatter(std::size_t width);

    std::string make_description(const CLI::App* command) const override;
    std::string make_option_opts(const CLI::Option* option) const override;
    std::string make_option_desc(const CLI::Option* option) const override;
    std::string make_subcommand(const CLI::App* command) const override;

private:
    /// The lines of a meaning; CLI11 indents those after the first.
    std::string lines_of(const std::string& meaning) const;

    std::size_t width_, meanings_;   ///< of a line, and of the column of meanings
};

}   // namespace oscar
