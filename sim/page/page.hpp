// A page of one run or several: one self-contained HTML file that opens without network.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/compare/report_file.hpp"

namespace oscar {

/// The document. Tables are there whether scripts run or not; charts need `library`, the text of ECharts, and where it
/// is missing the page says how to get it. From the second run on each is compared with the first. Precondition: a run.
std::string html_page(const std::vector<ReportFile>& runs, const std::optional<std::string>& library);

/// The text of ECharts: that of the build or of the installation; none where it was not there when that was made.
std::optional<std::string> chart_library();

}   // namespace oscar
