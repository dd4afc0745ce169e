// The views of the sweep's database, which spread the figures of the reports over columns.
#pragma once

#include <string>
#include <vector>

namespace oscar {

/// The figures of one method in report.json, speed-ups excepted: all statistics of methods; that of an object is
/// "object.key".
std::vector<std::string> metric_names();

/// The figure of the table `metrics` that is the speed-up over `baseline`.
std::string speedup_name(const std::string& baseline);

/// SQL that drops the views `points` and `methods` of database.hpp and makes them for a plan that sweeps `keys` and
/// compares `methods`.
std::string make_views(const std::vector<std::string>& keys, const std::vector<std::string>& methods);

}   // namespace oscar
