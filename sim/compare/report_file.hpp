// Reports as they were written, by this version of the program or another.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

namespace oscar {

/// A report of `run`, and where it lies.
struct ReportFile {
    std::filesystem::path file;
    nlohmann::ordered_json report;
};

/// Reads report.json in the folder `place`, or `place` itself. InputError: nothing there, a folder without a report (a
/// sweep and a prediction are named), no JSON or one beyond JsonLimits, no report of a run, one of another schema, a
/// value of another type than report_schema() says, a method without name or time, two of one name. What is missing
/// beside those may be missing: other versions have other keys.
ReportFile read_report(const std::filesystem::path& place);

}   // namespace oscar
