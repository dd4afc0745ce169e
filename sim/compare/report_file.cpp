#include "sim/compare/report_file.hpp"

#include <fmt/format.h>

#include <set>
#include <string>
#include <string_view>

#include "sim/config/error.hpp"
#include "sim/describe/json_file.hpp"
#include "sim/describe/schema_check.hpp"
#include "sim/report/report.hpp"

namespace oscar {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

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

/// Refuses what the rest of the program would trip over: values of a wrong type, methods without name or time.
void check_methods(const fs::path& file, const Json& methods) {
    std::set<std::string> names;
    for (const Json& method : methods) {
        if (!method.is_object() || !method.contains("name") || !method.contains("allreduce_ps"))
            refuse(file, fmt::format("has a method without name or time; {}", remedy));
        const auto name = method.at("name").get<std::string>();
        if (!method.at("allreduce_ps").is_number_integer() || method.at("allreduce_ps") < 0)
            refuse(file, fmt::format("the time of method {} is no whole number of picoseconds; {}", name, remedy));
        if (!names.insert(name).second) refuse(file, fmt::format("has two methods {}; {}", name, remedy));
    }
}

}   // namespace

ReportFile read_report(const fs::path& place) {
    std::error_code none;
    ReportFile found{fs::is_directory(place, none) ? file_in(place) : place, {}};
    found.report = read_json(found.file, remedy);
    const Json& report = found.report;
    if (!report.is_object() || !report.contains("methods") || !report.contains("config"))
        refuse(found.file, fmt::format("is no report of a run; {}", remedy));
    if (report.value("schema", Json()) != schema)
        refuse(found.file,
               fmt::format("is a report of schema {}, and this program reads schema {}; run its configuration again",
                           report.value("schema", Json()).dump(), schema));
    static const Json due = report_schema();
    if (const auto problem = find_mismatch(report, due)) refuse(found.file, fmt::format("{}; {}", *problem, remedy));
    check_methods(found.file, report.at("methods"));
    return found;
}

}   // namespace oscar
