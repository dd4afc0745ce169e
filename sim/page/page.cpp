#include "sim/page/page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "sim/compare/comparison.hpp"
#include "sim/compare/figures.hpp"
#include "sim/config/find.hpp"
#include "sim/page/assets.hpp"
#include "sim/page/html.hpp"
#include "sim/page/run_section.hpp"
#include "sim/page/sweep_section.hpp"
#include "sim/page/training_section.hpp"

namespace oscar {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<std::vector<std::string>>;

constexpr std::string_view no_library =
    "<p class=\"note\">This page has no charts: ECharts was not there. From a checkout, <code>npm install --prefix "
    "build/npm echarts</code> brings it; then write the page again. All figures are in the tables.</p>\n";

std::string comparison_section(const ReportFile& first, const ReportFile& other, const std::string& letter) {
    const Json compared = compare(first, other);
    Rows configuration{{"key", "A", letter}}, times{{"method", "A us", letter + " us", "A / " + letter,
                                                     letter == "B" ? "why" : "why (" + letter + " is B there)"}};
    for (const auto& entry : compared["configuration"])
        configuration.push_back({text_of(entry["key"]), text_of(entry["a"]), text_of(entry["b"])});
    for (const auto& method : compared["methods"]) {
        const auto& time = method["allreduce_ps"];
        times.push_back({text_of(method["name"]), fmt::format("{:.3f}", time["a"].get<double>() * 1e-6),
                         fmt::format("{:.3f}", time["b"].get<double>() * 1e-6),
                         fmt::format("{:.3f}", method["ratio"].get<double>()), text_of(method["reason"])});
    }
    std::string text = fmt::format("<section>\n<h2>A and {}</h2>\n", letter);
    text += html_table("Times of the methods that both have", times);
    return text + html_table("What differs in the configuration", configuration) + "</section>\n";
}

std::string name_of(const ReportFile& run) { return text_of(run.report.value("experiment", Json())); }
std::string name_of(const SweepResults& sweep) { return sweep.file.parent_path().filename().string(); }
std::string name_of(const TrainingResults& trainings) { return trainings.folder.filename().string(); }

/// The names of what is shown, each once.
std::string title_of(const std::vector<PageContent>& results) {
    std::vector<std::string> names;
    for (const PageContent& shown : results) {
        auto name = std::visit([](const auto& one) { return name_of(one); }, shown);
        if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
    }
    return fmt::format("oscar-sim: {}", fmt::join(names, ", "));
}

/// A, B, …, Z, 27, 28, …
std::string letter_of(std::size_t run) {
    return run < 26 ? std::string(1, static_cast<char>('A' + run)) : std::to_string(run + 1);
}

std::string sections_of_runs(const std::vector<const ReportFile*>& runs) {
    std::string text;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        text += run_section(*runs[i], runs.size() == 1 ? "" : letter_of(i));
        if (i > 0) text += comparison_section(*runs.front(), *runs[i], letter_of(i));
    }
    return text;
}

}   // namespace

PageContent read_results(const std::filesystem::path& place) {
    std::error_code none;
    if (std::filesystem::is_directory(place, none) && !std::filesystem::exists(place / "report.json")) {
        if (std::filesystem::exists(place / "points.sqlite")) return read_sweep(place);
        if (holds_trainings(place)) return read_training_records(place);
    }
    return read_report(place);
}

std::string html_page(const std::vector<PageContent>& results, const std::optional<std::string>& library) {
    std::string text = fmt::format(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light "
        "dark\">\n<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n<header><h1>{}</h1></header>\n<main>\n",
        escaped(title_of(results)), page_style, escaped(title_of(results)));
    if (!library) text += no_library;
    std::vector<const ReportFile*> runs;
    for (const PageContent& shown : results)
        if (const auto* run = std::get_if<ReportFile>(&shown)) runs.push_back(run);
    text += sections_of_runs(runs);
    for (const PageContent& shown : results) {
        if (const auto* sweep = std::get_if<SweepResults>(&shown)) text += sweep_section(*sweep);
        if (const auto* trainings = std::get_if<TrainingResults>(&shown)) text += training_section(*trainings);
    }
    text += "</main>\n";
    if (library) text += fmt::format("<script>\n{}\n</script>\n", *library);
    return text + fmt::format("<script>\n{}{}</script>\n</body>\n</html>\n", sweep_script, page_script);
}

std::optional<std::string> chart_library() {
    std::vector<std::filesystem::path> places{OSCAR_ECHARTS};
    if (const auto data = data_folder()) places.push_back(*data / "report/echarts.min.js");
    for (const auto& place : places) {
        std::ifstream stream(place, std::ios::binary);
        if (stream) return std::string(std::istreambuf_iterator<char>(stream), {});
    }
    return std::nullopt;
}

}   // namespace oscar
