// The codes of the shipped traces, for tests that take all of them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/replay/codes.hpp"

namespace oscar::test {

inline constexpr std::uint32_t shipped_ranks = 8;

/// The codes of the last unbroken run of a trace.
inline std::vector<IterationCodes> late_codes(const std::filesystem::path& folder) {
    const Trace trace = Trace::open(folder);
    const Replay replay(trace, shipped_ranks, choose_layers(trace.manifest(), ""));
    CodeSource source(replay.tensors(), replay.ranks(), PercentileParams{});
    auto first = static_cast<std::uint32_t>(trace.iterations()) - 1;
    while (trace.follows(first)) --first;
    std::vector<IterationCodes> result;
    for (std::uint32_t position = first; position < trace.iterations(); ++position)
        result.push_back(source.next(replay, position));
    return result;
}

/// Calls f(name, late codes) for each trace of the repository. Returns how many there are.
template <class F>
std::size_t for_each_shipped_trace(F&& f) {
    std::size_t traces = 0;
    for (const auto& entry : std::filesystem::directory_iterator("traces")) {
        if (!entry.is_directory()) continue;
        f(entry.path().filename().string(), late_codes(entry.path()));
        ++traces;
    }
    return traces;
}

}   // namespace oscar::test
