// The result of a method in one sentence.
#pragma once

#include <string>

#include "sim/report/report.hpp"
#include "sim/report/view.hpp"

namespace oscar {

/// `asc: 2.55x fp32 and 1.27x fixed_point; limited by latency (60 % of the critical path)`: speed-ups over the baseline
/// of the view and over the first method that sends uncoded integers, where these are others, and what takes the
/// largest share of the critical path; of a lossy method what its controller did. With a training step also that of the
/// step.
std::string verdict(const Report& report, const MethodReport& method, const std::string& baseline);

/// The baseline of a view: the method it names, else the first. Precondition: the report has a method.
std::string baseline_of(const Report& report, const View& view);

}   // namespace oscar
