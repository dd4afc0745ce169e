// Input errors: file, line, column, problem and remedy in one line.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace oscar::inline config {

/// An input is wrong: exit status 2. what() is one line; control characters and bytes other than UTF-8 are escaped.
struct InputError : std::runtime_error {
    explicit InputError(std::string_view what);
};

/// A configuration is wrong. what() reads `FILE:LINE:COLUMN: path.to.key: what; how to write it right`.
struct ConfigError : InputError {
    using InputError::InputError;
};

}   // namespace oscar::inline config
