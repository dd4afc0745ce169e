// The computation of a point, and its result as text.
#pragma once

#include <cstdint>
#include <string>

#include "sim/sweep/database.hpp"
#include "sim/sweep/definition.hpp"
#include "sim/sweep/processes/workers.hpp"

namespace oscar {

/// In a child process: runs one point as `oscar-sim run` would. Puts its report, or what is wrong with it, into
/// `result`, and gives the exit status.
int compute_point(const SweepDefinition& definition, const Settings& settings, std::uint32_t threads,
                  std::string& result);

/// The result of a point from the end of the child that computed it; an error is one line.
PointResult point_result(const TaskEnd& end);

/// A result as JSON, and back. InputError: the text is none.
std::string to_text(const PointResult& result);
PointResult point_result_in(const std::string& text);

}   // namespace oscar
