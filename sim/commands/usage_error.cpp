#include "sim/commands/usage_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <string_view>
#include <vector>

#include "sim/config/suggest.hpp"

namespace oscar {
namespace {

/// The innermost command that was named on the command line.
const CLI::App& named_command(const CLI::App& app) {
    const auto named = app.get_subcommands();
    return named.empty() ? app : named_command(*named.front());
}

/// The words by which it was named, like "oscar-sim trace info".
std::string full_name(const CLI::App& app) {
    const auto named = app.get_subcommands();
    const std::string name = app.get_parent() == nullptr ? "oscar-sim" : app.get_name();
    return named.empty() ? name : name + " " + full_name(*named.front());
}

/// The long options of a command.
std::vector<std::string> options_of(const CLI::App& command) {
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options()) names.push_back(option->get_name(false, false));
    std::erase_if(names, [](const std::string& name) { return !name.starts_with("--"); });
    return names;
}

std::vector<std::string> commands_below(const CLI::App& command) {
    std::vector<std::string> names;
    for (const CLI::App* below : command.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(below->get_name());
    return names;
}

/// The error about the first unknown word; nothing if all are known or no names are due there.
std::optional<std::string> unknown_word(const CLI::App& app) {
    const CLI::App& command = named_command(app);
    const std::vector<std::string> rest = command.remaining();
    if (rest.empty()) return std::nullopt;
    const bool is_option = rest.front().starts_with('-');
    const std::vector<std::string> names = is_option ? options_of(command) : commands_below(command);
    if (names.empty()) return std::nullopt;
    const std::vector<std::string_view> candidates(names.begin(), names.end());
    return fmt::format("'{}': no such {}{}; known: {}", rest.front(), is_option ? "option" : "command",
                       did_you_mean(rest.front(), candidates), fmt::join(candidates, ", "));
}

/// The missing argument of the named command, with its meaning; nothing for other errors.
std::optional<std::string> missing_argument(const CLI::App& app, const CLI::ParseError& error) {
    for (const CLI::Option* option : named_command(app).get_options())
        if (option->get_positional() && error.what() == option->get_name() + " is required")
            return fmt::format("missing {}: {}", option->get_name(), option->get_description());
    return std::nullopt;
}

/// Where a command is due, and none is named.
std::optional<std::string> missing_command(const CLI::App& app, const CLI::ParseError& error) {
    const CLI::App& command = named_command(app);
    if (command.get_require_subcommand_min() == 0 || error.get_name() != "RequiredError") return std::nullopt;
    return fmt::format("missing command; choose one of {}", fmt::join(commands_below(command), ", "));
}

}   // namespace

std::string usage_error(const CLI::App& app, const CLI::ParseError& error) {
    if (const auto wrong = unknown_word(app)) return *wrong;
    if (const auto missing = missing_command(app, error))
        return fmt::format("{}; see {} --help", *missing, full_name(app));
    return fmt::format("{}; see {} --help", missing_argument(app, error).value_or(error.what()), full_name(app));
}

}   // namespace oscar
