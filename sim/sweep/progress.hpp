// Progress of a sweep: a bar on a terminal, a line per point otherwise.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>

namespace oscar::inline sweep {

/// Points of a sweep. `computed` are those that this run of the program has computed.
struct Tally {
    std::size_t points = 0, done = 0, failed = 0, computed = 0;
};

/// `12/40 points, 1 failed, about 3 min 20 s left`. What is left takes as long per point as what was computed in
/// `elapsed_s`; nothing is said of it before the first.
std::string progress_text(const Tally& tally, double elapsed_s);

/// `[######--------------]`: the share of points that have a result; `width` characters between the brackets.
std::string progress_bar(const Tally& tally, std::size_t width);

/// `3 min 20 s`, `2 h 5 min`, `7 s`.
std::string duration_text(double seconds);

/// Shows the progress on `stream`.
class ProgressDisplay {
public:
    explicit ProgressDisplay(std::FILE* stream);
    /// Clears the bar.
    ~ProgressDisplay();
    ProgressDisplay(const ProgressDisplay&) = delete;
    ProgressDisplay& operator=(const ProgressDisplay&) = delete;

    void show(const Tally& tally) const;
    /// A point has ended. `what` names it; a failure stays on the terminal.
    void ended(const Tally& tally, const std::string& what, bool failed) const;

private:
    double elapsed_s() const;
    std::FILE* stream_;
    bool terminal_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}   // namespace oscar::inline sweep
