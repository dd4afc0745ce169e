// Remedies, tried: what one change of the configuration makes of a method's time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/commands/run.hpp"
#include "sim/parameters/parameters.hpp"
#include "sim/report/report.hpp"

namespace oscar {

/// A run of a method's first iteration with one change.
struct Trial {
    std::string method;
    std::string change;   ///< as after --set
    std::int64_t before_ps = 0, after_ps = 0;
    /// Times as fast as without the change.
    double factor() const { return static_cast<double>(before_ps) / static_cast<double>(after_ps > 0 ? after_ps : 1); }
};

struct Trials {
    std::vector<Trial> made;
    bool left_out = false;   ///< others would have taken too long
};

/// The changes that may shorten what limits `method` on the machine `written`, before it was scaled; the likeliest
/// first.
std::vector<std::string> remedies_of(const MethodReport& method, const Parameters& written);

/// Tries the remedies of each method, each by a run of this program in a process of its own; those that are refused are
/// left out. Begins none after the time that the run itself took, or ten seconds where that was less. The configuration
/// must be a file that can be read again.
Trials try_remedies(const RunOptions& options, const Experiment& experiment, const Report& report);

/// A sentence for each trial, the largest gain of each method first; empty where there are none.
std::string to_text(const Trials& trials, std::size_t width);

}   // namespace oscar
