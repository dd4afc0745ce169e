// What `--explain` and `--legend` add to the tables of a run.
#pragma once

#include <string>

#include "sim/report/report.hpp"
#include "sim/report/view.hpp"

namespace oscar {

/// Per method the mean over the ranks of what each did during the time.
std::string means_over_ranks(const Report& report, const View& view);

/// The closed form of each method's time and how far the simulation is from it.
std::string closed_form_table(const Report& report, const View& view);

/// Advice on what would shorten the time, a line for each limiter that a method has.
std::string remedies(const Report& report, const Screen& screen);

/// The meaning of each column that the view shows.
std::string legend(const View& view);

}   // namespace oscar
