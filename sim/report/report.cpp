#include "sim/report/report.hpp"

#include <algorithm>

#include "sim/config/echo.hpp"
#include "sim/report/background_report.hpp"
#include "sim/report/bottleneck.hpp"
#include "sim/report/mean.hpp"
#include "sim/report/write.hpp"

namespace oscar {
namespace {

nlohmann::ordered_json figure_or_null(const std::optional<Fidelity>& fidelity, double Fidelity::*figure) {
    if (!fidelity) return nullptr;
    return *fidelity.*figure;
}

nlohmann::ordered_json iteration_json(const IterationResult& it) {
    return {{"position", it.position},
            {"allreduce_ps", it.allreduce_ps},
            {"scale_exchange_ps", it.scale_exchange_ps},
            {"boundary_broadcast_ps", it.boundary_broadcast_ps},
            {"gpu_kernel_ps", it.gpu_kernel_ps},
            {"payload_bytes", it.payload_bytes},
            {"wire_bytes", it.wire_bytes},
            {"imbalance", it.imbalance},
            {"critical_path", to_json(it.critical_path)},
            {"relative_l2_error", figure_or_null(it.fidelity, &Fidelity::relative_l2_error)},
            {"cosine", figure_or_null(it.fidelity, &Fidelity::cosine)},
            {"saturated_values", it.saturated_values},
            {"sums_match_reference", it.matches ? nlohmann::ordered_json(*it.matches) : nullptr}};
}

nlohmann::ordered_json method_json(const MethodReport& method) {
    nlohmann::ordered_json object = to_json<MethodReport>(method);
    auto& speedup = object["speedup"] = nlohmann::ordered_json::object();
    for (const auto& [baseline, factor] : method.speedup) speedup[baseline] = factor;
    auto& links = object["links"] = nlohmann::ordered_json::array();
    for (const LinkShare& link : method.links)
        links.push_back({{"name", link.name}, {"utilisation", link.utilisation}, {"wire_bytes", link.wire_bytes}});
    auto& iterations = object["iterations"] = nlohmann::ordered_json::array();
    for (const IterationResult& it : method.iterations) iterations.push_back(iteration_json(it));
    if (!method.flows.empty()) object["flows"] = to_json(method.flows);
    if (method.transport) object["transport"] = to_json<TransportUse>(*method.transport);
    if (method.faults) object["faults"] = to_json<FaultUse>(*method.faults);
    if (method.background) object["background"] = to_json<BackgroundReport>(summarise(*method.background));
    for (const JobReport& job : method.jobs) object["jobs"].push_back(to_json(job));
    if (method.step) object["step"] = step_json(*method.step);
    return object;
}

/// Mean of one figure over the iterations.
template <class T>
double mean(const std::vector<IterationResult>& iterations, T IterationResult::*figure) {
    double sum = 0;
    for (const auto& it : iterations) sum += static_cast<double>(it.*figure);
    return sum / static_cast<double>(iterations.size());
}

/// The same of a figure of the sums; none where nothing is summed.
/// Gbit/s of `bytes` in `ps`.
double rate_gbps(double bytes, std::int64_t ps) { return ps > 0 ? 8000 * bytes / static_cast<double>(ps) : 0; }

void add_totals(MethodReport& m, const IterationResult& it) {
    m.payload_bytes += it.payload_bytes;
    m.wire_bytes += it.wire_bytes;
    m.values += it.values;
    m.side_bytes += it.side_bytes;
    m.resent_messages += it.resent_messages;
    m.resent_bytes += it.resent_bytes;
    m.table_memory_bytes = std::max(m.table_memory_bytes, it.table_memory_bytes);
    m.mask_memory_bytes = std::max(m.mask_memory_bytes, it.mask_memory_bytes);
    m.saturated_values += it.saturated_values;
    m.flows.insert(m.flows.end(), it.flows.begin(), it.flows.end());
    if (it.transport) m.transport = m.transport.value_or(TransportUse{}) += *it.transport;
    if (it.faults) m.faults = m.faults.value_or(FaultUse{}) += *it.faults;
    if (it.background) m.background = m.background.value_or(BackgroundUse{}) += *it.background;
    if (m.sums_match_reference && it.matches) m.sums_match_reference = *m.sums_match_reference && *it.matches;
    else m.sums_match_reference.reset();
    if (m.closed_form_ps && it.closed_form_ps) *m.closed_form_ps += *it.closed_form_ps;
    else m.closed_form_ps.reset();
}

/// Per link the mean utilisation and all bytes, by name: answers may use a link in one iteration and not in another.
std::vector<LinkShare> mean_links(const std::vector<IterationResult>& iterations) {
    std::vector<LinkShare> links;
    for (const auto& it : iterations)
        for (const LinkShare& link : it.links) {
            auto known = std::ranges::find(links, link.name, &LinkShare::name);
            if (known == links.end()) known = links.insert(known, {link.name, 0, 0});
            known->utilisation += link.utilisation / static_cast<double>(iterations.size());
            known->wire_bytes += link.wire_bytes;
        }
    return links;
}

std::optional<double> entropy_per_value(const std::vector<IterationResult>& iterations, std::uint64_t values) {
    double bits = 0;
    for (const auto& it : iterations) {
        if (!it.entropy_bits || values == 0) return std::nullopt;
        bits += *it.entropy_bits;
    }
    return bits / static_cast<double>(values);
}

/// Over those iterations whose chunks were predicted.
std::optional<double> mean_prediction_error(const std::vector<IterationResult>& iterations) {
    double sum = 0;
    int count = 0;
    for (const auto& it : iterations)
        if (it.chunk_prediction_error) {
            sum += *it.chunk_prediction_error;
            ++count;
        }
    return count > 0 ? std::optional(sum / count) : std::nullopt;
}

bool all_have_fidelity(const std::vector<IterationResult>& iterations) {
    return std::ranges::all_of(iterations, [](const auto& it) { return it.fidelity.has_value(); });
}

void add_fidelity(MethodReport& m, const std::vector<IterationResult>& iterations) {
    if (!all_have_fidelity(iterations)) return;
    const auto n = static_cast<double>(iterations.size());
    double error = 0, cosine = 0;
    for (const auto& it : iterations) {
        error += it.fidelity->relative_l2_error / n;
        cosine += it.fidelity->cosine;   // divided as a whole: the mean of ones is one
    }
    m.relative_l2_error = error;
    m.cosine = cosine / n;
}

CriticalPath mean_critical_path(const std::vector<IterationResult>& iterations) {
    std::vector<CriticalPath> paths;
    for (const auto& it : iterations) paths.push_back(it.critical_path);
    return mean_path(paths);
}

}   // namespace

MethodReport summarise(std::string name, const std::vector<IterationResult>& iterations) {
    using I = IterationResult;
    MethodReport m;
    m.name = std::move(name);
    m.iterations = iterations;
    m.sums_match_reference = true;
    m.closed_form_ps = 0;
    for (const I& it : iterations) add_totals(m, it);
    add_fidelity(m, iterations);
    if (m.closed_form_ps) *m.closed_form_ps /= static_cast<std::int64_t>(iterations.size());
    m.allreduce_ps = mean_ps(iterations, &I::allreduce_ps);
    m.scale_exchange_ps = mean_ps(iterations, &I::scale_exchange_ps);
    m.boundary_broadcast_ps = mean_ps(iterations, &I::boundary_broadcast_ps);
    m.gpu_kernel_ps = mean_ps(iterations, &I::gpu_kernel_ps);
    m.codec_ps = mean_ps(iterations, &I::codec_ps);
    m.wire_ps = mean_ps(iterations, &I::wire_ps);
    m.wait_ps = mean_ps(iterations, &I::wait_ps);
    m.critical_path = mean_critical_path(iterations);
    m.bottleneck = bottleneck_of(m.critical_path).name;
    m.algorithm_bandwidth_gbps = rate_gbps(mean(iterations, &I::counted_bytes), m.allreduce_ps);
    m.bus_bandwidth_gbps = m.algorithm_bandwidth_gbps * iterations.front().bus_factor;
    m.bits_per_value = m.values > 0 ? 8.0 * static_cast<double>(m.payload_bytes) / static_cast<double>(m.values) : 0;
    m.imbalance = mean(iterations, &I::imbalance);
    m.link_utilisation = mean(iterations, &I::link_utilisation);
    m.idle_wait_share = mean(iterations, &I::idle_wait_share);
    m.engine_utilisation = mean(iterations, &I::engine_utilisation);
    m.chunk_prediction_error = mean_prediction_error(iterations);
    m.entropy_bits_per_value = entropy_per_value(iterations, m.values);
    m.links = mean_links(iterations);
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
    if (!report.notes.empty()) object["notes"] = report.notes;
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
    write_by_rename(folder / "report.json", to_json(report).dump(2) + "\n");
}

}   // namespace oscar
