// Input errors: file, line, column, problem and remedy in one line.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace oscar {

/// `text` in one line: control characters (U+0080 to U+009F too) and bytes other than UTF-8 are escaped, so that no
/// text of a file or a command line steers a terminal.
std::string printable(std::string_view text);

/// True if printable(text) is `text` itself.
bool is_printable(std::string_view text);

/// An input is wrong: exit status 2. what() is one line; control characters and bytes other than UTF-8 are escaped.
struct InputError : std::runtime_error {
    explicit InputError(std::string_view what);
};

/// A configuration is wrong. what() reads `FILE:LINE:COLUMN: path.to.key: what; how to write it right`.
struct ConfigError : InputError {
    using InputError::InputError;
    ConfigError(std::string_view where, std::string_view path, std::string_view what);

    std::string place,
        reason;   ///< FILE:LINE:COLUMN, and the text after the path; empty where only the whole is known
};

}   // namespace oscar
