#include "sim/report/report.hpp"

#include <algorithm>
#include <concepts>

#include "sim/describe/echo.hpp"
#include "sim/describe/json_text.hpp"
#include "sim/report/background_report.hpp"
#include "sim/report/statistics.hpp"
#include "sim/report/write.hpp"

namespace oscar {

namespace {

/// False for sums from which other statistics are made: they have no form in JSON.
template <class T>
constexpr bool has_json = !std::same_as<T, std::optional<Fidelity>>;

/// The statistics of `result` that are shown in `place`, and the ones of `also`.
nlohmann::ordered_json statistics_json(const IterationResult& result, Shown place, Shown also = Shown::everywhere) {
    auto object = nlohmann::ordered_json::object();
    for_each_statistic([&]<class S>(const S& statistic) {
        if constexpr (has_json<typename S::Value>)
            if (statistic.shown == place || statistic.shown == also)
                object[std::string(statistic.key)] = to_json(result.*statistic.member);
    });
    return object;
}

template <class T>
bool is_present(const std::optional<T>& value) {
    return value.has_value();
}
template <class T>
bool is_present(const std::vector<T>& values) {
    return !values.empty();
}

/// Appends the statistics that follow all others where the method has them.
void add_if_present(nlohmann::ordered_json& object, const MethodReport& method) {
    for_each_statistic([&]<class S>(const S& statistic) {
        if constexpr (requires { is_present(method.*statistic.member); } && has_json<typename S::Value>)
            if (statistic.shown == Shown::methods_if_present && is_present(method.*statistic.member))
                object[std::string(statistic.key)] = to_json(method.*statistic.member);
    });
}

nlohmann::ordered_json method_json(const MethodReport& method) {
    nlohmann::ordered_json object{{"name", method.name}};
    object.update(statistics_json(method, Shown::methods));
    auto& speedup = object["speedup"] = nlohmann::ordered_json::object();
    for (const auto& [baseline, factor] : method.speedup) speedup[baseline] = factor;
    object["links"] = to_json(method.links);
    auto& iterations = object["iterations"] = nlohmann::ordered_json::array();
    for (const IterationResult& it : method.iterations) iterations.push_back(statistics_json(it, Shown::iterations));
    if (method.costed) object.update(statistics_json(method, Shown::methods_if_costed, Shown::methods_if_costed));
    if (method.tiered) object.update(statistics_json(method, Shown::methods_if_tiered, Shown::methods_if_tiered));
    add_if_present(object, method);
    for (const JobReport& job : method.jobs) object["jobs"].push_back(to_json(job));
    if (method.step) object["step"] = step_json(*method.step);
    return object;
}

/// A name of a method may hold any character.
std::string as_file_name(std::string name) {
    std::ranges::replace(name, '/', '_');
    return name;
}

}   // namespace

MethodReport summarise(std::string name, const std::vector<IterationResult>& iterations) {
    MethodReport m;
    m.name = std::move(name);
    m.iterations = iterations;
    for (IterationResult& it : m.iterations) derive(it);
    static_cast<IterationResult&>(m) = over_iterations(m.iterations);
    return m;
}

void add_speedups(std::vector<MethodReport>& methods) {
    for (MethodReport& method : methods)
        for (const MethodReport& baseline : methods) {
            method.speedup.emplace_back(
                baseline.name, static_cast<double>(baseline.allreduce_ps) / static_cast<double>(method.allreduce_ps));
            if (method.step) add_comparison(*method.step, baseline.name, *baseline.step);
        }
}

nlohmann::ordered_json to_json(const Report& report) {
    nlohmann::ordered_json object{{"schema", 1},
                                  {"experiment", report.experiment},
                                  {"program_version", report.program_version},
                                  {"config", report.config},
                                  {"seed", report.seed},
                                  {"trace", to_json<TraceReport>(report.trace)}};
    if (report.config_as_written) object["config_as_written"] = *report.config_as_written;
    if (!report.notes.empty()) object["notes"] = report.notes;
    if (report.costs) object["costs"] = *report.costs;
    auto& methods = object["methods"] = nlohmann::ordered_json::array();
    for (const MethodReport& method : report.methods) methods.push_back(method_json(method));
    object["host"] = to_json<HostReport>(report.host);
    return object;
}

std::optional<std::string> find_report_problem(const Report& report) {
    for (const MethodReport& method : report.methods)
        if (method.sums_match_reference == false)
            return method.name + ": a rank's sum, bytes or tables differ from the reference; " +
                   (method.faults && method.faults->flipped > method.faults->crc_errors
                        ? "injected faults passed every check before; write network.faults.check: crc32"
                        : "this is a defect of the program");
    return std::nullopt;
}

void write_report(const Report& report, const std::filesystem::path& folder) {
    for (const auto& [method, signals] : report.waveforms)
        write_by_rename(folder / ("waveform-" + as_file_name(method) + ".vcd"), to_vcd(signals, "machine"));
    for (const auto& [method, events] : report.timelines)
        write_by_rename(folder / ("timeline-" + as_file_name(method) + ".json"), events->text());
    write_by_rename(folder / "report.json", json_text(to_json(report)) + "\n");
}

}   // namespace oscar
