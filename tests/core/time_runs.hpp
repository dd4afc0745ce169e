// Times as runs, for tests that script them one by one.
#pragma once

#include <span>
#include <vector>

#include "models/core/time_run.hpp"

namespace oscar::test {

/// The same moments, those that are evenly spaced as one run. Precondition: no time is before the one that precedes it.
inline std::vector<TimeRun> time_runs(std::span<const Time> times) {
    std::vector<TimeRun> runs;
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (!runs.empty() && runs.back().count == 1) runs.back().each = times[i] - runs.back().first;
        if (!runs.empty() && runs.back().at(runs.back().count) == times[i]) ++runs.back().count;
        else runs.push_back({times[i]});
    }
    return runs;
}

}   // namespace oscar::test
