// Predicted time of a collective, with its parts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/core/long_time.hpp"
#include "models/core/units.hpp"

namespace oscar {

/// One implementation of a collective of some size, and the time that a predictor expects.
struct Predicted {
    /// time = fixed + carried / bandwidth of the machine, for predictors that are such a line per candidate.
    struct Line {
        Time fixed;      ///< whatever the size, without the machine's launch
        Bytes carried;   ///< as if so many bytes passed at the machine's bus bandwidth
    };
    /// A part of the time, and the resource that limits it, for predictors that compare resources.
    struct Phase {
        std::string name;
        Time time;
        std::string limiter;
    };
    std::string name;   ///< of the algorithm and protocol
    Time time;
    std::optional<Line> line = {};
    std::vector<Phase> phases = {};   ///< one after the other; where there are any, they add up to `time`
};

/// launch + fixed + carried / bandwidth. Throws OutOfRange beyond 106 days.
inline Time time_of(const Predicted::Line& line, Time launch, Bandwidth bandwidth) {
    return (LongTime(launch) + line.fixed + serialization(line.carried, bandwidth)).narrowed();
}

}   // namespace oscar
