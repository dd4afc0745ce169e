#include "sim/page/page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "sim/compare/comparison.hpp"
#include "sim/compare/figures.hpp"
#include "sim/page/assets.hpp"
#include "sim/page/html.hpp"
#include "sim/page/numbers.hpp"
#include "sim/page/run_section.hpp"
#include "sim/page/sweep_section.hpp"
#include "sim/page/training_section.hpp"

namespace oscar {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<std::vector<std::string>>;

/// Times of the methods that both runs have, a bar for each.
Json chart_of_both(const Json& compared, const std::string& letter) {
    Json chart{{"kind", "bars"}, {"title", fmt::format("Times in A and {}", letter)}, {"x", "time, us"}};
    Json a{{"name", "A"}, {"colour", "#7F7F7F"}}, b{{"name", letter}, {"colour", "#0072B2"}};
    for (const auto& method : compared["methods"]) {
        const Json& time = method["allreduce_ps"];
        for (const bool is_first : {true, false}) {
            const double us = time[is_first ? "a" : "b"].get<double>() * 1e-6;
            chart["rows"].push_back(fmt::format("{}, {}", text_of(method["name"]), is_first ? "A" : letter));
            a["values"].push_back(is_first ? us : 0);
            b["values"].push_back(is_first ? 0 : us);
            const std::string factor =
                is_first ? "" : fmt::format(", {:.2f}x as fast as A", method["ratio"].get<double>());
            chart["ends"].push_back(fmt::format("{} us{}", three_digits(us), factor));
        }
    }
    chart["parts"] = {a, b};
    return chart;
}

std::string comparison_section(const ReportFile& first, const ReportFile& other, const std::string& letter) {
    const Json compared = compare(first, other);
    Rows configuration{{"key", "A", letter}}, times{{"method", "A us", letter + " us", "A / " + letter,
                                                     letter == "B" ? "why" : "why (" + letter + " is B there)"}};
    for (const auto& entry : compared["configuration"])
        configuration.push_back({text_of(entry["key"]), text_of(entry["a"]), text_of(entry["b"])});
    for (const auto& method : compared["methods"]) {
        const auto& time = method["allreduce_ps"];
        times.push_back({text_of(method["name"]), in_microseconds(time["a"].get<double>()),
                         in_microseconds(time["b"].get<double>()), three_digits(method["ratio"].get<double>()),
                         text_of(method["reason"])});
    }
    std::string text = fmt::format("<section>\n<h2>A and {}</h2>\n", letter);
    if (times.size() > 1) text += html_chart("Methods that both runs have.", chart_of_both(compared, letter));
    text += html_table("Times of the methods that both have", times);
    return text + html_table("What differs in the configuration", configuration) + "</section>\n";
}

std::string name_of(const ReportFile& run) { return text_of(run.report.value("experiment", Json())); }
std::string name_of(const SweepResults& sweep) { return sweep.file.parent_path().filename().string(); }
std::string name_of(const TrainingResults& trainings) { return trainings.folder.filename().string(); }

std::string place_of(const ReportFile& run) { return run.file.parent_path().filename().string(); }
std::string place_of(const SweepResults& sweep) { return name_of(sweep); }
std::string place_of(const TrainingResults& trainings) { return name_of(trainings); }

/// The names of what is shown; of results of one name with their folders.
std::string title_of(const std::vector<PageContent>& results) {
    std::vector<std::string> names, places;
    for (const PageContent& shown : results) {
        names.push_back(std::visit([](const auto& one) { return name_of(one); }, shown));
        places.push_back(std::visit([](const auto& one) { return place_of(one); }, shown));
    }
    std::vector<std::string> titles;
    for (std::size_t i = 0; i < names.size(); ++i)
        titles.push_back(std::ranges::count(names, names[i]) > 1 && places[i] != names[i]
                             ? fmt::format("{} ({})", names[i], places[i])
                             : names[i]);
    return fmt::format("oscar-sim: {}", fmt::join(titles, ", "));
}

/// A, B, …, Z, 27, 28, …
std::string letter_of(std::size_t run) {
    return run < 26 ? std::string(1, static_cast<char>('A' + run)) : std::to_string(run + 1);
}

/// The comparisons of the first run with the others, then each run.
std::string sections_of_runs(const std::vector<const ReportFile*>& runs) {
    std::string text;
    if (runs.size() > 1) {
        text += "<ul>\n";
        for (std::size_t i = 0; i < runs.size(); ++i)
            text += fmt::format("<li><b>{}</b>: {}, {}</li>\n", letter_of(i), escaped(name_of(*runs[i])),
                                escaped(runs[i]->file.string()));
        text += "</ul>\n";
    }
    for (std::size_t i = 1; i < runs.size(); ++i) text += comparison_section(*runs.front(), *runs[i], letter_of(i));
    for (std::size_t i = 0; i < runs.size(); ++i) text += run_section(*runs[i], runs.size() == 1 ? "" : letter_of(i));
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

std::string html_page(const std::vector<PageContent>& results, const std::optional<ChartLibrary>& library) {
    std::string text = fmt::format(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light "
        "dark\">\n<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n<header><h1>{}</h1></header>\n<main>\n",
        escaped(title_of(results)), page_style, escaped(title_of(results)));
    if (!library)
        text += fmt::format("<p class=\"note\">This page has no charts: {}. All figures are in the tables.</p>\n",
                            how_to_get_charts);
    std::vector<const ReportFile*> runs;
    for (const PageContent& shown : results)
        if (const auto* run = std::get_if<ReportFile>(&shown)) runs.push_back(run);
    text += sections_of_runs(runs);
    for (const PageContent& shown : results) {
        if (const auto* sweep = std::get_if<SweepResults>(&shown)) text += sweep_section(*sweep);
        if (const auto* trainings = std::get_if<TrainingResults>(&shown)) text += training_section(*trainings);
    }
    text += "</main>\n";
    if (library)
        text += html_details("Licences of Vega, which draws the charts",
                             fmt::format("<pre>{}</pre>\n", escaped(library->licence))) +
                fmt::format("<script>\n{}\n</script>\n", library->script);
    return text +
           fmt::format("<script>\n{}{}{}</script>\n</body>\n</html>\n", charts_script, sweep_script, page_script);
}

}   // namespace oscar
