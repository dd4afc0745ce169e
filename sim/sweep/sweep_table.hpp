// What a terminal shows of a sweep at its end.
#pragma once

#include <string>

#include "sim/sweep/progress.hpp"
#include "sim/sweep/sweep.hpp"
#include "sim/terminal/text_table.hpp"

namespace oscar {

/// `4 points: 3 done, 1 failed, 0 pending; 4 computed now`.
std::string tally_text(const Tally& tally);

/// The text of tally_text, where each method gains most over the first, and the files of the results.
std::string to_table(const SweepEnd& end, const Screen& screen);

}   // namespace oscar
