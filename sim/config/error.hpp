// What is wrong with an input, where, and how to write it right: one line.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace oscar {

/// An input is wrong; the program ends with status 2. what() is one line: control characters are written as escapes.
struct InputError : std::runtime_error {
    explicit InputError(std::string_view what);
};

/// A configuration is wrong. what() reads `FILE:LINE:COLUMN: path.to.key: what; how to write it right`.
struct ConfigError : InputError {
    using InputError::InputError;
};

}   // namespace oscar
