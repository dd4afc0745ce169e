// The results of a sweep as its folder has them, read without its plan.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/sweep/sql.hpp"

namespace oscar {

/// What DIR/points.sqlite says now.
struct SweepResults {
    std::filesystem::path file;
    std::string program;                ///< that computed its points; the latest where there are several
    std::vector<std::string> keys;      ///< swept
    std::vector<std::string> methods;   ///< in the order of the reports
    sql::Table figures;                 ///< the view `methods`: position, key, the swept keys, method, figures
    std::size_t done = 0, failed = 0, pending = 0;
    sql::Table failures;   ///< position and error of each point that failed
};

/// Reads the database while a sweep may be writing it. InputError: none there, damaged, of another program or schema,
/// or altered such that its views or texts are not those of a sweep.
SweepResults read_sweep(const std::filesystem::path& folder);

/// True of speed-ups, cosines and bandwidths of a method: of these figures the largest value is best, of all others the
/// smallest.
bool largest_is_best(std::string_view figure);

}   // namespace oscar
