#include "sim/compare/report_file.hpp"

#include <fmt/format.h>

#include <fstream>
#include <string>
#include <string_view>

#include "sim/config/error.hpp"
#include "sim/config/regular_file.hpp"

namespace oscar {
namespace fs = std::filesystem;
namespace {

constexpr int schema = 1;
constexpr std::string_view remedy = "name a folder that `oscar-sim run -o DIR` has written";

[[noreturn]] void refuse(const fs::path& place, std::string_view what) {
    throw InputError(fmt::format("{}: {}", place.string(), what));
}

/// The report in a folder.
fs::path file_in(const fs::path& folder) {
    if (fs::path file = folder / "report.json"; fs::exists(file)) return file;
    if (fs::exists(folder / "points.sqlite"))
        refuse(folder, "holds a sweep; name the folder of one run, such as `oscar-sim run` of a point's configuration");
    if (fs::exists(folder / "prediction.json")) refuse(folder, fmt::format("holds a prediction; {}", remedy));
    if (fs::exists(folder / "latest"))
        refuse(folder, fmt::format("holds several runs; name one, such as {}", (folder / "latest").string()));
    refuse(folder, fmt::format("has no report.json; {}", remedy));
}

nlohmann::ordered_json parsed(const fs::path& file) {
    try {
        const RegularFile open(file);
    } catch (const CannotOpen& error) {
        refuse(file, fmt::format("{}; {}", error.what(), remedy));
    }
    std::ifstream stream(file, std::ios::binary);
    auto json = nlohmann::ordered_json::parse(stream, nullptr, false);
    if (json.is_discarded()) refuse(file, fmt::format("is no JSON; {}", remedy));
    return json;
}

}   // namespace

ReportFile read_report(const fs::path& place) {
    std::error_code none;
    ReportFile found{fs::is_directory(place, none) ? file_in(place) : place, {}};
    found.report = parsed(found.file);
    const auto& report = found.report;
    if (!report.is_object() || !report.contains("methods") || !report["methods"].is_array() ||
        !report.contains("config"))
        refuse(found.file, fmt::format("is no report of a run; {}", remedy));
    if (report.value("schema", nlohmann::ordered_json()) != schema)
        refuse(found.file,
               fmt::format("is a report of schema {}, and this program reads schema {}; run its configuration again",
                           report.value("schema", nlohmann::ordered_json()).dump(), schema));
    for (const auto& method : report["methods"])
        if (!method.is_object() || !method.contains("name") || !method["name"].is_string() ||
            !method.contains("allreduce_ps") || !method["allreduce_ps"].is_number())
            refuse(found.file, fmt::format("has a method without name or time; {}", remedy));
    return found;
}

}   // namespace oscar
