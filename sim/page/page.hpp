// A page of runs, sweeps and trainings: one self-contained HTML file that opens without network.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/compare/report_file.hpp"
#include "sim/page/chart_library.hpp"
#include "sim/page/training_results.hpp"
#include "sim/sweep/sweep_results.hpp"

namespace oscar {

/// What a page shows.
using PageContent = std::variant<ReportFile, SweepResults, TrainingResults>;

/// Reads what the folder `place` holds: a run (or its report.json itself), a sweep, or records of trainings.
/// InputError: as read_report, read_sweep and read_training_records.
PageContent read_results(const std::filesystem::path& place);

/// The document. Tables are there whether scripts run or not; charts need `library`, and where it is missing the page
/// says how to get it. Of several runs each is first compared with the first. Precondition: there are results.
std::string html_page(const std::vector<PageContent>& results, const std::optional<ChartLibrary>& library);

}   // namespace oscar
