// Vega (https://vega.github.io/vega), which draws the charts of a page and is embedded into it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace oscar {

/// A script that defines `vega`, and the licences of its parts, which a copy of it must contain.
struct ChartLibrary {
    std::string script, licence;
};

/// Joins the parts of Vega that charts need, vega-*.min.js of `folder`; none if one of them or the licence is missing.
std::optional<ChartLibrary> read_chart_library(const std::filesystem::path& folder,
                                               const std::filesystem::path& licence);

/// The library of the installation (share/oscar-sim/report), else of Debian's package libjs-vega.
std::optional<ChartLibrary> chart_library();

/// What a user does without it, as a sentence.
inline constexpr const char* how_to_get_charts =
    "the charts need Vega: apt-get install libjs-vega, then write the page again";

}   // namespace oscar
