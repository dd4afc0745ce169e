#include "sim/sweep/point_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "sim/config/error.hpp"
#include "sim/describe/json_file.hpp"
#include "sim/describe/schema_check.hpp"
#include "sim/run/exit_status.hpp"
#include "sim/run/experiment.hpp"

namespace oscar {
namespace {

using Json = nlohmann::ordered_json;

/// `text` with "; " between its lines, which are not indented any more.
std::string one_line(std::string_view text) {
    std::string line;
    while (!text.empty()) {
        const std::string_view part = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), part.size() + 1));
        if (const std::size_t begin = part.find_first_not_of(' '); begin != std::string_view::npos)
            line.append(line.empty() ? "" : "; ").append(part.substr(begin));
    }
    return line;
}

}   // namespace

int compute_point(const SweepDefinition& definition, const Settings& settings, std::uint32_t threads,
                  std::string& result) {
    const Report report = run(
        experiment_of(definition, settings), [](const std::string&, double) {}, threads);
    if (const auto defect = find_report_problem(report)) {
        result = *defect;
        return other_failure;
    }
    result = to_json(report).dump();
    return 0;
}

PointResult point_result(const TaskEnd& end) {
    if (end.status == 0) return {0, "", end.result, end.wall_s};
    return {end.status, end.error.empty() ? fmt::format("ended with status {}", end.status) : one_line(end.error), "",
            end.wall_s};
}

std::string to_text(const PointResult& result) {
    return nlohmann::ordered_json{{"exit_status", result.exit_status},
                                  {"error", result.error},
                                  {"report", result.report},
                                  {"wall_s", result.wall_s}}
        .dump();
}

PointResult point_result_in(const std::string& text) try {
    static const Json due{{"type", "object"},
                          {"properties",
                           {{"exit_status", {{"type", "number"}}},
                            {"error", {{"type", "string"}}},
                            {"report", {{"type", "string"}}},
                            {"wall_s", {{"type", "number"}}}}}};
    const Json json = parse_json(text);
    if (const auto mismatch = find_mismatch(json, due)) throw BadJson(": " + *mismatch);
    for (const auto& [key, type] : due.at("properties").items())
        if (!json.contains(key)) throw BadJson(fmt::format(": has no {}", key));
    return {json.at("exit_status"), json.at("error"), json.at("report"), json.at("wall_s")};
} catch (const BadJson& error) {
    throw InputError(fmt::format("no result of a point{}; remove it, and the point is computed again", error.what()));
}

}   // namespace oscar
