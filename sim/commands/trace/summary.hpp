// One line about a trace that was written.
#pragma once

#include <fmt/format.h>

#include <string>

#include "sim/trace/trace.hpp"

namespace oscar {

inline std::string counted(std::uint64_t count, std::string_view what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// "2 iterations of 8 ranks, 32326 values in 10 layers (hash 0123456789abcdef)"
inline std::string summary(const Trace& trace) {
    return fmt::format("{} of {}, {} in {} (hash {})", counted(trace.iterations(), "iteration"),
                       counted(trace.ranks(), "rank"), counted(trace.elements(), "value"),
                       counted(trace.manifest().layers.size(), "layer"), trace.hash());
}

}   // namespace oscar
