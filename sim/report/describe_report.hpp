// Description of report.json: each part with its statistics, their units and meanings, and how they add up.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace oscar {

struct ReportField {
    std::string key, unit, type, meaning;
    std::string over_buckets, over_iterations;   ///< empty where the part says it of all its fields
};

/// An object, or the entries of a list, of the report.
struct ReportPart {
    std::string path;      ///< like methods[].step
    std::string adds_up;   ///< over buckets and iterations, where it is one rule for all fields
    std::vector<ReportField> fields;
};
/// The parts of report.json from `trace` to `host`, each with its fields.
std::vector<ReportPart> report_parts();

/// The report's parts as JSON: a list of objects {path, adds_up, fields}.
nlohmann::ordered_json describe_report_json();

/// The text of `oscar-sim describe report`.
std::string describe_report(std::size_t width);

}   // namespace oscar
