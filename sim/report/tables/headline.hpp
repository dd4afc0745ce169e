// What was run, in the first lines on a terminal.
#pragma once

#include <string>

#include "sim/report/report.hpp"
#include "sim/report/view.hpp"

namespace oscar {

/// Experiment, trace and machine, and the notes that a reader must know before using any figure; the costs beside
/// coding where they are to be explained.
std::string headline(const Report& report, const View& view);

}   // namespace oscar
