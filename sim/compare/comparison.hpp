// Two runs beside each other: what of their configuration differs, and how that changes times and causes.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/compare/report_file.hpp"
#include "sim/terminal/text_table.hpp"

namespace oscar {

/// {schema, a, b: {file, experiment, program_version, trace}, configuration: [{key, a, b}], methods: [{name, pairs of
/// each figure {a, b} under the names of the report, ratio, reason}], only_a, only_b: names of methods, all: [{place,
/// a, b}]}. Methods are matched by name. `ratio` is the time of A over that of B: above 1, B is faster. `configuration`
/// is that of the machine as it was written, where it was scaled (`config_as_written`). `all` is every value of the
/// reports that differs beyond that, without `host`.
nlohmann::ordered_json compare(const ReportFile& a, const ReportFile& b);

/// The comparison in tables and sentences. With `all`, also every value that differs.
std::string to_text(const nlohmann::ordered_json& comparison, bool all, const Screen& screen);

}   // namespace oscar
