// Progress of a sweep: a bar on a terminal, a line per minute otherwise.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>

#include "sim/terminal/progress.hpp"

namespace oscar {

/// Points of a sweep. `computed` are those that this run of the program has computed.
struct Tally {
    std::size_t points = 0, done = 0, failed = 0, computed = 0;
};

/// `12/40 points, 1 failed, about 3 min 20 s left`. What is left takes as long per point as what was computed in
/// `elapsed_s`; nothing is said of it before the first.
std::string progress_text(const Tally& tally, double elapsed_s);

/// Shows the progress on `stream`: a bar on a terminal, else a line at the end of each `interval`. A failure has a line
/// of its own at once.
class ProgressDisplay {
public:
    /// `quiet`: shows nothing.
    ProgressDisplay(std::FILE* stream, bool quiet, std::chrono::milliseconds interval = std::chrono::minutes(1));

    /// Shows the state.
    void show(const Tally& tally);
    /// A point has ended. `what` names it.
    void ended(const Tally& tally, const std::string& what, bool failed);

private:
    std::optional<ProgressLine> line_;           ///< none: quiet
    std::optional<ProgressReminder> reminder_;   ///< where there is no terminal
};

}   // namespace oscar
