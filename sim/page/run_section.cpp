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

namespace oscar {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<std::vector<std::string>>;

std::string us(double ps) { return fmt::format("{:.3f}", ps * 1e-6); }

/// The method that sends integers as they are; empty if none does.
std::string uncoded_integers_of(const Json& config) {
    for (const auto& method : config.value("methods", Json::array()))
        if (method.is_object() && method.value("kind", "") == "fixed_point") return method.value("name", "");
    return "";
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
    return "";
}

/// A sentence for each method.
std::string verdicts(const Json& report, const std::string& baseline, const std::string& integers) {
    std::string text = "<ul class=\"verdict\">\n";
    for (const auto& method : report["methods"]) {
        const std::string name = method["name"].get<std::string>(),
                          limiter = text_of(method.value("bottleneck", Json()));
        text += fmt::format("<li><b>{}</b>: {} us", escaped(name), us(figure_in(method, "allreduce_ps")));
        for (const std::string& other : {baseline, integers})
            if (!other.empty() && other != name)
                text += fmt::format(", {} as fast as {}", speed_up(method, other), escaped(other));
        text += fmt::format("; limited by {} ({:.0f} % of the critical path): {}", escaped(limiter),
                            100 * share_of_bottleneck(method), escaped(remedy_of(limiter)));
        if (limiter == "wait" && method.contains("longest_step"))
            text += ". " + escaped(text_of(method["longest_step"].value("sentence", Json())));
        if (method.value("sums_match_reference", Json(true)) == false) text += ". <strong>Its sums are wrong.</strong>";
        text += "</li>\n";
    }
    return text + "</ul>\n";
}

std::string table_of_times(const Json& methods, const std::string& baseline, const std::string& integers) {
    Rows rows{{"method", "time us", "over " + baseline, "bits a value", "L2 error", "imbalance", "limited by", "sums"}};
    const bool has_integers = !integers.empty() && integers != baseline;
    if (has_integers) rows[0].insert(rows[0].begin() + 3, "over " + integers);
    for (const auto& method : methods) {
        const Json match = method.value("sums_match_reference", Json());
        std::vector<std::string> row{text_of(method["name"]),
                                     us(figure_in(method, "allreduce_ps")),
                                     speed_up(method, baseline),
                                     text_of(method.value("bits_per_value", Json())),
                                     text_of(method.value("relative_l2_error", Json())),
                                     text_of(method.value("imbalance", Json())),
                                     text_of(method.value("bottleneck", Json())),
                                     match.is_null() ? "not checked"
                                     : match == true ? "equal"
                                                     : "WRONG"};
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
        for (const Bottleneck& cause : bottlenecks)
            row.push_back(fmt::format("{:.3f}", microseconds_of(method, cause)));
        rows.push_back(std::move(row));
    }
    return html_table("What the critical path is made of; the parts add up to the time", rows);
}

/// From which rate of the slowest link on each method no longer pays; empty where none is compared with fp32.
std::string table_of_break_even(const Json& methods) {
    Rows rows{{"method", "faster than fp32", "break-even Gbit/s", "limited by then"}};
    for (const auto& method : methods) {
        const std::string faster = method.value("faster_than_fp32", "not compared");
        if (faster == "not compared" || faster == "same") continue;
        const Json rate = method.value("break_even_bandwidth_gbps", Json());
        rows.push_back({text_of(method["name"]), faster,
                        rate.is_number() ? fmt::format("{:.1f}", rate.get<double>()) : "–",
                        text_of(method.value("break_even_limiter", Json()))});
    }
    if (rows.size() == 1) return "";
    return html_table("The rate of the slowest link at which the time is that of fp32, to first order", rows);
}

/// Every figure of `objects` that is one value, a row each; `names` head the columns.
std::string table_of_figures(std::string_view caption, const std::vector<std::string>& names,
                             const std::vector<Json>& objects) {
    Rows rows{{"figure"}};
    rows[0].insert(rows[0].end(), names.begin(), names.end());
    std::vector<std::string> keys;
    for (const Json& object : objects)
        for (const auto& [key, value] : object.items())
            if (!value.is_structured() && key != "name" && std::ranges::find(keys, key) == keys.end())
                keys.push_back(key);
    for (const std::string& key : keys) {
        std::vector<std::string> row{key};
        for (const Json& object : objects) row.push_back(text_of(object.value(key, Json())));
        rows.push_back(std::move(row));
    }
    return html_table(caption, rows);
}

std::string all_figures(const Json& methods) {
    std::vector<std::string> names;
    std::vector<Json> objects;
    for (const auto& method : methods) {
        names.push_back(text_of(method["name"]));
        objects.push_back(method);
    }
    return table_of_figures("oscar-sim describe report says what each is", names, objects);
}

/// Figures of a training step; empty where the run has none.
std::string steps(const Json& methods) {
    std::vector<std::string> names;
    std::vector<Json> objects;
    for (const auto& method : methods)
        if (method.contains("step") && method["step"].is_object()) {
            names.push_back(text_of(method["name"]));
            objects.push_back(method["step"]);
        }
    return objects.empty() ? "" : table_of_figures("The training step around the AllReduce", names, objects);
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

/// Of the first AllReduce of each method.
std::string over_time(const Json& methods, int height) {
    std::string text;
    if (const auto links = chart_of_links_over_time(methods))
        text +=
            html_chart("The busiest links of each method, during the first AllReduce.", links->option, links->height);
    if (const auto queues = chart_of_queues(methods))
        text += html_chart(
            "Begun, but their last bit is not on the wire: in the encoder, in a queue, or being sent. Mean over ranks.",
            *queues, 320);
    if (const auto bits = chart_of_bits(methods))
        text += html_chart("Partial sums grow from timestep to timestep, and so do their codes.", *bits, 320);
    if (const auto chunks = chart_of_chunks(methods))
        text += html_chart(
            "All steps of a chunk together: least, quartiles and largest. The largest chunk decides when a "
            "timestep ends: compare a method with chunks of variable size with its like of equal ones.",
            *chunks, height + 20);
    return text;
}

}   // namespace

std::string run_section(const ReportFile& run, const std::string& letter) {
    const Json& report = run.report;
    const Json& methods = report["methods"];
    const std::string name = text_of(report.value("experiment", Json()));
    std::string text = fmt::format("<section>\n<h2>{}</h2>\n", escaped(letter.empty() ? name : letter + ": " + name));
    if (!letter.empty()) text += fmt::format("<p>{}</p>\n", escaped(run.file.string()));
    if (methods.empty()) return text + "<p>The report has no method.</p>\n</section>\n";
    const std::string baseline = methods[0]["name"].get<std::string>(),
                      integers = uncoded_integers_of(report["config"]);
    const int height = 130 + 34 * static_cast<int>(methods.size());
    text += verdicts(report, baseline, integers);
    text += html_chart("The parts of a bar add up to the time of the method, mean over iterations.",
                       chart_of_times(methods), height);
    text += table_of_times(methods, baseline, integers) + table_of_causes(methods) + table_of_break_even(methods) +
            steps(methods);
    if (const auto errors = chart_of_errors(methods)) text += html_chart("To the lower left is better.", *errors, 320);
    if (const auto iterations = chart_of_iterations(methods))
        text += html_chart("Each iteration of the trace that was replayed.", *iterations, 300);
    if (const auto links = chart_of_links(methods)) {
        text += html_chart("Between first and last use of the network; a row for each method.", *links, height + 90);
        text += html_details("Links in numbers", table_of_links(methods));
    }
    text += over_time(methods, height);
    if (const auto machine = drawing_of_machine(methods))
        text += html_chart("Ranks below, switches above. The busier direction, of the method that used it most.",
                           *machine, 300);
    text += not_modelled(report);
    text += html_details("All figures", all_figures(methods));
    text += html_details("Configuration", configuration(report));
    text += html_details("Where this comes from", provenance(run));
    return text + "</section>\n";
}

}   // namespace oscar
