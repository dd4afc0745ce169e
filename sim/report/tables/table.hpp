// A run on a terminal: tables and a sentence per method.
#pragma once

#include <string>

#include "sim/report/report.hpp"
#include "sim/report/view.hpp"

namespace oscar {

/// No line is longer than the width of the screen, but for names of methods that leave no room, and with View::wide.
/// Precondition: the report has a method, and view.baseline is empty or one.
std::string to_table(const Report& report, const View& view = {});

}   // namespace oscar
