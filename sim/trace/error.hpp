// Errors in a trace.
#pragma once

#include <string>
#include <string_view>

#include "sim/config/error.hpp"

namespace oscar {

/// A trace array is wrong. what() reads `FOLDER/ARRAY.npy: what; how to write it right`. Errors inside trace.yaml are
/// ConfigErrors with line and column.
struct TraceError : InputError {
    using InputError::InputError;
};

/// Throws the TraceError "NAME: what".
[[noreturn]] inline void fail(std::string_view name, std::string_view what) {
    throw TraceError(std::string(name).append(": ").append(what));
}

}   // namespace oscar
