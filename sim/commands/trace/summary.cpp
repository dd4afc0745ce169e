#include "sim/commands/trace/summary.hpp"

#include <fmt/format.h>

namespace oscar {
namespace {

std::string counted(std::uint64_t count, std::string_view what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}   // namespace

std::string summary(const Trace& trace) {
    return fmt::format("{} of {}, {} in {} (hash {})", counted(trace.iterations(), "iteration"),
                       counted(trace.ranks(), "rank"), counted(trace.elements(), "value"),
                       counted(trace.manifest().layers.size(), "layer"), trace.hash());
}

}   // namespace oscar
