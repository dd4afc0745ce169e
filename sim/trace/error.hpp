// Errors in a trace.
#pragma once

#include "sim/config/error.hpp"

namespace oscar::inline trace {

/// A trace array is wrong. what() reads `FOLDER/ARRAY.npy: what; how to write it right`. Errors inside trace.yaml are
/// ConfigErrors with line and column.
struct TraceError : InputError {
    using InputError::InputError;
};

}   // namespace oscar::inline trace
