// Progress of a sweep: a bar on a terminal, a line per point otherwise.
#pragma once

#include <cstddef>
#include <cstdio>
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

/// Shows the progress on `stream`.
class ProgressDisplay {
public:
    explicit ProgressDisplay(std::FILE* stream) : line_(stream) {}

    /// Draws the bar; nothing where `stream` is no terminal.
    void show(const Tally& tally);
    /// A point has ended. `what` names it; a failure stays on the terminal.
    void ended(const Tally& tally, const std::string& what, bool failed);

private:
    ProgressLine line_;
};

}   // namespace oscar
