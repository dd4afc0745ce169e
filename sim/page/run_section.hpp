// What a page says of one run.
#pragma once

#include <string>

#include "sim/compare/report_file.hpp"

namespace oscar {

/// HTML: the fastest method, the training step and the times as charts, a verdict for each cause, times in a table,
/// links, errors, what was not modelled, all figures, the configuration of the machine as it was written, and where the
/// figures come from. Methods are sorted by time. `letter` tells runs of a page apart; empty where it has one.
std::string run_section(const ReportFile& run, const std::string& letter);

}   // namespace oscar
