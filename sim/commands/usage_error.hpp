// Command lines that CLI11 does not take, in words.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace oscar {

/// One line about `error`, which parsing `app` has thrown: the first unknown command or option with those that are
/// known and the nearest of them, else the commands of which one is missing, else the missing argument with its
/// meaning, else what CLI11 says; the last three with the command whose --help tells more. Precondition: the error is
/// no request for help or version.
std::string usage_error(const CLI::App& app, const CLI::ParseError& error);

}   // namespace oscar
