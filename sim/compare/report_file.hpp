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
/// sweep and a prediction are named), no JSON, no report of a run, or one of another schema.
ReportFile read_report(const std::filesystem::path& place);

}   // namespace oscar
