#include "sim/page/run_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "sim/compare/figures.hpp"
#include "sim/page/activity_charts.hpp"
#include "sim/page/charts.hpp"
#include "sim/page/html.hpp"
#include "sim/page/machine_drawing.hpp"
#include "sim/page/numbers.hpp"
#include "sim/page/step_section.hpp"

namespace oscar {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<std::vector<std::string>>;

/// The method that sends integers as they are; empty if none does.
std::string uncoded_integers_of(const Json& config) {
    for (const auto& method : config.value("methods", Json::array()))
        if (method.is_object() && method.value("kind", "") == "fixed_point") return method.value("name", "");
    return "";
}

/// Names of the methods that others are compared with; `integers` is empty without uncoded integers.
struct Names {
    std::string baseline, integers;
    std::vector<std::string> both() const {
        if (integers.empty() || integers == baseline) return {baseline};
        return {baseline, integers};
    }
};

/// The methods, the fastest first.
Json sorted_by_time(const Json& methods) {
    std::vector<Json> sorted(methods.begin(), methods.end());
    std::ranges::stable_sort(sorted, {}, [](const Json& method) { return figure_in(method, "allreduce_ps"); });
    return sorted;
}

std::string speed_up(const Json& method, const std::string& over) {
    const double factor = figure_in(method.value("speedup", Json()), over.c_str());
    return factor > 0 ? fmt::format("{:.2f}x", factor) : "–";
}

double share_of_bottleneck(const Json& method) {
    double largest = 0, total = 0;
    for (const Bottleneck& cause : bottlenecks) {
        largest = std::max(largest, microseconds_of(method, cause));
        total += microseconds_of(method, cause);
    }
    return total > 0 ? largest / total : 0;
}

std::string remedy_of(const std::string& limiter) {
    for (const Bottleneck& bottleneck : bottlenecks)
        if (bottleneck.name == limiter) return std::string(bottleneck.remedy);
    for (const Bottleneck* dma : {&dma_with_class_masks, &pcie_uplink})
        if (limiter == dma->name) return std::string(dma->remedy);
    return "";
}

/// Speed-ups of a method over the baseline and over uncoded integers, such as "2.54x as fast as fp32".
std::string comparisons_of(const Json& method, const Names& names) {
    std::string text;
    for (const std::string& other : names.both())
        if (other != method["name"].get<std::string>())
            text += fmt::format("{}{} as fast as {}", text.empty() ? "" : ", ", speed_up(method, other), other);
    return text;
}

/// The method with the shortest step, where the run has steps, and the fastest AllReduce.
std::string headline(const Json& by_time, const Names& names) {
    const Json& fastest = by_time.front();
    const std::string steps = headline_of_steps(by_time, names.baseline);
    std::string text =
        fmt::format("<p class=\"headline\">{}<b>{}</b> {}: {} us", steps, escaped(text_of(fastest["name"])),
                    steps.empty() ? "is fastest" : "has the fastest collectives",
                    in_microseconds(figure_in(fastest, "allreduce_ps")));
    if (const std::string over = comparisons_of(fastest, names); !over.empty()) text += ", " + escaped(over);
    if (const Json error = fastest.value("relative_l2_error", Json()); error.is_number())
        text += fmt::format(", at a relative L2 error of {}", cell_of(error));
    return text + ".</p>\n";
}

/// More methods than that, limited by one cause, are compared with the baseline only.
constexpr std::size_t most_in_full = 4;

/// A method that a cause limits, and the share of the cause.
std::string verdict_of(const Json& method, const Names& names, bool in_full) {
    std::string text = fmt::format("<b>{}</b>: {} us", escaped(text_of(method["name"])),
                                   in_microseconds(figure_in(method, "allreduce_ps")));
    if (const std::string over = comparisons_of(method, names); in_full && !over.empty()) text += ", " + escaped(over);
    if (!in_full && method["name"] != names.baseline) text += ", " + speed_up(method, names.baseline);
    return text + fmt::format(" ({:.0f} %)", 100 * share_of_bottleneck(method));
}

/// A bullet: the methods that `limiter` limits.
std::string verdict_of_cause(const std::string& limiter, const Json& by_time, const Names& names) {
    const auto is_limited = [&](const Json& method) { return text_of(method.value("bottleneck", Json())) == limiter; };
    const bool in_full = std::ranges::count_if(by_time, is_limited) <= static_cast<std::ptrdiff_t>(most_in_full);
    std::string methods;
    for (const Json& method : by_time) {
        if (!is_limited(method)) continue;
        methods += (methods.empty() ? "" : "; ") + verdict_of(method, names, in_full);
        if (limiter == "wait" && method.contains("longest_step"))
            methods += ", " + escaped(text_of(method["longest_step"].value("sentence", Json())));
    }
    std::string remedy = remedy_of(limiter);
    if (!remedy.empty()) remedy = fmt::format(" <i>Remedy: {}.</i>", escaped(remedy));
    return fmt::format("<li>Limited by {} (share of the critical path{}): {}.{}</li>\n", escaped(limiter),
                       in_full ? "" : "; x: over " + escaped(names.baseline), methods, remedy);
}

/// A bullet for each cause, with the methods that it limits; one more for each with wrong sums.
std::string verdicts(const Json& by_time, const Names& names) {
    std::vector<std::string> limiters;
    for (const Json& method : by_time) {
        const std::string limiter = text_of(method.value("bottleneck", Json()));
        if (std::ranges::find(limiters, limiter) == limiters.end()) limiters.push_back(limiter);
    }
    std::string text = "<ul class=\"verdict\">\n";
    for (const std::string& limiter : limiters) text += verdict_of_cause(limiter, by_time, names);
    for (const Json& method : by_time)
        if (method.value("sums_match_reference", Json(true)) == false)
            text +=
                fmt::format("<li><strong>The sums of {} are wrong.</strong></li>\n", escaped(text_of(method["name"])));
    return text + "</ul>\n";
}

/// Bits a value of all messages; on a machine of two tiers, of those that cross NICs and of those inside islands.
const std::vector<std::pair<std::string, const char*>>& bits_columns(const Json& methods) {
    static const std::vector<std::pair<std::string, const char*>> all{{"bits a value", "bits_per_value"}},
        of_tiers{{"bits a value, NICs", "nic_bits_per_value"},
                 {"bits a value inside islands", "island_bits_per_value"}};
    const bool tiered =
        std::ranges::any_of(methods, [](const Json& method) { return method.contains("nic_bits_per_value"); });
    return tiered ? of_tiers : all;
}

std::string table_of_times(const Json& methods, const std::string& baseline, const std::string& integers) {
    const auto& bits = bits_columns(methods);
    Rows rows{{"method", "time us", "over " + baseline}};
    for (const auto& [head, key] : bits) rows[0].push_back(head);
    for (const char* head : {"L2 error", "imbalance", "limited by", "sums"}) rows[0].emplace_back(head);
    const bool has_integers = !integers.empty() && integers != baseline;
    if (has_integers) rows[0].insert(rows[0].begin() + 3, "over " + integers);
    for (const auto& method : methods) {
        const Json match = method.value("sums_match_reference", Json());
        std::vector<std::string> row{text_of(method["name"]), in_microseconds(figure_in(method, "allreduce_ps")),
                                     speed_up(method, baseline)};
        for (const auto& [head, key] : bits) row.push_back(cell_of(method.value(key, Json())));
        for (const char* key : {"relative_l2_error", "imbalance"}) row.push_back(cell_of(method.value(key, Json())));
        row.push_back(text_of(method.value("bottleneck", Json())));
        row.emplace_back(match.is_null() ? "not checked" : match == true ? "equal" : "WRONG");
        if (has_integers) row.insert(row.begin() + 3, speed_up(method, integers));
        rows.push_back(std::move(row));
    }
    return html_table("Times, what they cost in error, and what limits them", rows);
}

std::string table_of_causes(const Json& methods) {
    Rows rows{{"method"}};
    for (const Bottleneck& bottleneck : bottlenecks) rows[0].push_back(fmt::format("{} us", bottleneck.name));
    for (const auto& method : methods) {
        std::vector<std::string> row{text_of(method["name"])};
        for (const Bottleneck& cause : bottlenecks) row.push_back(three_digits(microseconds_of(method, cause)));
        rows.push_back(std::move(row));
    }
    return html_table("What the critical path is made of; the parts add up to the time", rows);
}

/// The rates of the slowest link at which each method is faster than fp32; empty where none is compared with fp32.
std::string table_of_break_even(const Json& methods) {
    Rows rows{{"method", "faster than fp32", "limited by there"}};
    for (const auto& method : methods) {
        const std::string faster = method.value("faster_than_fp32", "not compared");
        if (faster == "not compared" || faster == "same") continue;
        const Json rate = method.value("break_even_bandwidth_gbps", Json());
        rows.push_back({text_of(method["name"]),
                        rate.is_number() ? fmt::format("{} {} Gbit/s", faster, cell_of(rate)) : faster,
                        text_of(method.value("break_even_limiter", Json()))});
    }
    if (rows.size() == 1) return "";
    return html_table("Rates of the slowest link at which a method is faster than fp32, to first order", rows);
}

/// Every figure that is one value, a row each.
std::string all_figures(const Json& methods) {
    Rows rows{{"figure"}};
    std::vector<std::string> keys;
    for (const Json& method : methods) {
        rows[0].push_back(text_of(method["name"]));
        for (const auto& [key, value] : method.items())
            if (!value.is_structured() && key != "name" && std::ranges::find(keys, key) == keys.end())
                keys.push_back(key);
    }
    for (const std::string& key : keys) {
        std::vector<std::string> row{key};
        for (const Json& method : methods) row.push_back(cell_of(method.value(key, Json())));
        rows.push_back(std::move(row));
    }
    return html_table("oscar-sim describe report says what each is", rows);
}

std::string table_of_links(const Json& methods) {
    Rows rows{{"method", "link", "utilisation %", "bytes"}};
    for (const auto& method : methods)
        for (const auto& link : method.value("links", Json::array()))
            rows.push_back({text_of(method["name"]), text_of(link.value("name", Json())),
                            fmt::format("{:.1f}", 100 * figure_in(link, "utilisation")),
                            text_of(link.value("wire_bytes", Json()))});
    return html_table("Each link used", rows);
}

void add_leaves(const Json& value, const std::string& place, Rows& rows) {
    if (!value.is_structured() || value.empty()) {
        rows.push_back({place, text_of(value)});
        return;
    }
    for (const auto& [key, entry] : value.items())
        add_leaves(entry, place.empty() ? key : fmt::format("{}.{}", place, key), rows);
}

std::string configuration(const Json& report) {
    const bool is_scaled = report.contains("config_as_written");
    Rows rows{{"key", "value"}};
    add_leaves(report[is_scaled ? "config_as_written" : "config"], "", rows);
    return html_table(is_scaled ? "As it was written; scale divided it" : "With all defaults", rows);
}

std::string not_modelled(const Json& report) {
    std::string text;
    for (const auto& note : report.value("notes", Json::array()))
        text += fmt::format("<li>{}</li>\n", escaped(text_of(note)));
    if (report.contains("costs")) text += fmt::format("<li>{}</li>\n", escaped(text_of(report["costs"])));
    return text.empty() ? "" : "<h3>Charged, hidden, and not modelled</h3>\n<ul>\n" + text + "</ul>\n";
}

std::string provenance(const ReportFile& run) {
    Rows rows{{"what", "value"}};
    for (const char* key : {"program_version", "seed", "schema"})
        rows.push_back({key, text_of(run.report.value(key, Json()))});
    add_leaves(run.report.value("trace", Json()), "trace", rows);
    add_leaves(run.report.value("host", Json()), "host", rows);
    rows.push_back({"file", run.file.string()});
    return html_table("The same program, configuration, trace and seed give the same figures, but for host", rows);
}

/// Charts of the first AllReduce of each method.
std::string over_time(const Json& methods) {
    std::string text;
    if (const auto links = chart_of_links_over_time(methods))
        text += html_chart("The busiest links of each method, during the first AllReduce.", *links);
    if (const auto queues = chart_of_queues(methods))
        text += html_chart(
            "Begun, but their last bit is not on the wire: in the encoder, in a queue, or being sent. Mean over ranks.",
            *queues);
    if (const auto bits = chart_of_bits(methods))
        text += html_chart("Partial sums grow from timestep to timestep, and so do their codes.", *bits);
    if (const auto chunks = chart_of_chunks(methods))
        text += html_chart(
            "All steps of a chunk together: least, quartiles and largest. The largest chunk decides when a "
            "timestep ends: compare a method with chunks of variable size with its like of equal ones.",
            *chunks);
    return text;
}

/// The experiment of the run; among several runs also its letter, and its folder where that has another name.
std::string heading_of(const ReportFile& run, const std::string& letter) {
    const std::string name = text_of(run.report.value("experiment", Json())),
                      folder = run.file.parent_path().filename().string();
    if (letter.empty()) return name;
    return fmt::format("{}: {}{}", letter, name, folder.empty() || folder == name ? "" : fmt::format(" ({})", folder));
}

/// Charts of what the run did, behind the times.
std::string charts_of_run(const Json& methods) {
    std::string text;
    if (const auto errors = chart_of_errors(methods)) text += html_chart("To the lower left is better.", *errors);
    if (const auto iterations = chart_of_iterations(methods))
        text += html_chart("Each iteration of the trace that was replayed.", *iterations);
    if (const auto links = chart_of_links(methods)) {
        const bool are_all = (*links)["columns"].size() < most_links_of_chart;
        text += html_chart(
            fmt::format("Between first and last use of the network{}.", are_all ? "" : "; the busiest links"), *links);
        text += html_details("Links in numbers", table_of_links(methods));
    }
    text += over_time(methods);
    if (const auto machine = drawing_of_machine(methods))
        text +=
            html_chart("Ranks below, switches above. The busier direction, of the method that used it most.", *machine);
    return text;
}

}   // namespace

std::string run_section(const ReportFile& run, const std::string& letter) {
    const Json& report = run.report;
    std::string text = fmt::format("<section>\n<h2>{}</h2>\n", escaped(heading_of(run, letter)));
    if (report["methods"].empty()) return text + "<p>The report has no method.</p>\n</section>\n";
    const Names names{report["methods"][0]["name"].get<std::string>(), uncoded_integers_of(report["config"])};
    const Json methods = sorted_by_time(report["methods"]);
    text += headline(methods, names) + chart_of_steps(methods);
    text += html_chart("The parts of a bar add up to the time of the method, mean over iterations.",
                       chart_of_times(methods));
    text += verdicts(methods, names);
    text += table_of_times(methods, names.baseline, names.integers) + table_of_steps(methods, names.baseline) +
            table_of_causes(methods) + table_of_break_even(methods);
    text += charts_of_run(methods) + not_modelled(report);
    text += html_details("All figures", all_figures(methods));
    text += html_details("Configuration", configuration(report));
    text += html_details("Where this comes from", provenance(run));
    return text + "</section>\n";
}

}   // namespace oscar
