#include "sim/commands/trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "models/core/quantity.hpp"
#include "models/gpu/dma_rates.hpp"

#include "sim/describe/wrap.hpp"
#include "sim/report/causes/bottleneck.hpp"
#include "sim/sweep/grid/axes.hpp"
#include "sim/sweep/processes/command.hpp"

namespace oscar {
namespace {

constexpr double least_seconds = 10;
constexpr double noticeable = 1.01;   // imbalance

using Changes = std::vector<std::string>;

std::string twice(Bandwidth rate) { return to_text(Bandwidth{2 * rate.mbps}); }

/// Cables that many connections share, and steps for which others wait.
Changes against_waiting(const MethodReport& method, const Parameters& p) {
    Changes changes;
    if (const auto* islands = std::get_if<IslandsParams>(&p.network.topology.params); islands && islands->rails) {
        changes.push_back("network.topology.rails=false");
        changes.push_back(fmt::format("network.topology.spines={}", 4 * islands->spines));
    }
    if (const auto* leaves = std::get_if<LeafSpineParams>(&p.network.topology.params))
        changes.push_back(fmt::format("network.topology.spines={}", 2 * leaves->spines));
    if (issue_of(p.collective) == Issue::lock_step) changes.emplace_back("collective.issue=dependency");
    if (method.imbalance > noticeable && p.chunks.name() == "equal") changes.emplace_back("chunks=predicted");
    if (p.nic.staging_memory && method.staging_wait_ps.value_or(0) > 0)
        changes.push_back(fmt::format("nic.staging_memory={}", to_text(Bytes{4 * p.nic.staging_memory->count})));
    changes.push_back(fmt::format("network.link.buffer={}", to_text(Bytes{4 * p.network.link.buffer.count})));
    changes.push_back("network.link.bandwidth=" + twice(p.network.link.bandwidth));
    return changes;
}

Changes against_dma(const Parameters& p) {
    Changes changes;
    if (p.gpu.gradients == GradientForm::fp32) changes.emplace_back("gpu.gradients=codes");
    if (shares_uplink(p.gpu)) changes.push_back("gpu.pcie_switch.uplink=" + twice(*p.gpu.pcie_switch->uplink));
    changes.push_back("gpu.dma_bandwidth=" + twice(p.gpu.dma_bandwidth));
    return changes;
}

Changes against_latency(const Parameters& p) {
    Changes changes;
    if (slices_of(p.collective) > 1) changes.emplace_back("collective.slices=1");
    const bool islands = std::holds_alternative<IslandsParams>(p.network.topology.params);
    for (const char* kind : {"halving_doubling", islands ? "hierarchical" : "direct"})
        if (p.collective.name() != kind) changes.push_back(fmt::format("collective.kind={}", kind));
    return changes;
}

std::string flow_of_method(const ConfigNode& source, std::size_t method, const std::string& name) {
    const ConfigNode methods = source.child("methods");
    return method < methods.children.size() ? flow_text(methods.children[method]) : name;
}

/// A run of one method's first iteration with one change, as words after the program's name.
std::vector<std::string> words_of(const RunOptions& options, const std::string& method, const std::string& change) {
    std::vector<std::string> words{"run", options.config, "--quiet", "-o", "-"}, assignments;
    for (const std::string& assignment : options.overrides)
        if (!assignment.starts_with("timeline=")) assignments.push_back(assignment);
    assignments.insert(assignments.end(), {fmt::format("methods=[{}]", method), "iterations.count=1", change});
    for (const std::string& assignment : assignments) words.insert(words.end(), {"--set", assignment});
    return words;
}

/// The time of the only method of a run with these words after the program's name; none if it was refused.
std::optional<std::int64_t> time_of(std::vector<std::string> words) {
    words.insert(words.begin(), std::filesystem::read_symlink("/proc/self/exe").string());
    const CommandEnd end = run_command(words);
    if (end.status != 0) return std::nullopt;
    const auto report = nlohmann::json::parse(end.output, nullptr, false);
    if (report.is_discarded()) return std::nullopt;
    return report.at("methods").at(0).at("allreduce_ps").get<std::int64_t>();
}

}   // namespace

std::vector<std::string> remedies_of(const MethodReport& method, const Parameters& written) {
    if (method.critical_path.total_ps() <= 0) return {};
    const Cause cause = bottleneck_of(method.critical_path).cause;
    if (cause == &CriticalPath::wire_ps) return {"network.link.bandwidth=" + twice(written.network.link.bandwidth)};
    if (cause == &CriticalPath::engine_ps) {
        if (method.engine_utilisation > 0) return {fmt::format("engine.lanes={}", 2 * written.engine.lanes)};
        return {fmt::format("nic.adders={}", 2 * written.nic.adders)};
    }
    if (cause == &CriticalPath::dma_ps) return against_dma(written);
    if (cause == &CriticalPath::latency_ps) return against_latency(written);
    return against_waiting(method, written);
}

Trials try_remedies(const RunOptions& options, const Experiment& experiment, const Report& report) {
    const Parameters written = read_experiment(experiment.source, experiment.file).parameters;
    std::vector<Changes> remedies;
    std::size_t most = 0;
    for (const MethodReport& method : report.methods) {
        remedies.push_back(remedies_of(method, written));
        most = std::max(most, remedies.back().size());
    }
    const auto begin = std::chrono::steady_clock::now();
    const auto is_late = [&] {
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
        return passed.count() > std::max(least_seconds, report.host.wall_s);
    };
    Trials trials;
    for (std::size_t r = 0; r < most; ++r)   // the likeliest of each method first
        for (std::size_t m = 0; m < report.methods.size(); ++m) {
            if (r >= remedies[m].size()) continue;
            const MethodReport& method = report.methods[m];
            if (is_late()) trials.left_out = true;
            else if (const auto after =
                         time_of(words_of(options, flow_of_method(experiment.source, m, method.name), remedies[m][r])))
                trials.made.push_back({method.name, remedies[m][r], method.iterations.front().allreduce_ps, *after});
        }
    return trials;
}

std::string to_text(const Trials& trials, std::size_t width) {
    if (trials.made.empty()) return "";
    std::vector<Trial> sorted = trials.made;
    std::ranges::stable_sort(sorted, {}, &Trial::after_ps);
    std::vector<std::string> methods;
    for (const Trial& trial : trials.made)
        if (std::ranges::find(methods, trial.method) == methods.end()) methods.push_back(trial.method);
    std::string text = "\n" + paragraph("Remedies, tried: the first iteration with one change.", width);
    for (const std::string& method : methods)
        for (const Trial& trial : sorted)
            if (trial.method == method)
                text += paragraph(fmt::format("{} with {}: {:.3f} us instead of {:.3f}, {:.2f} times as fast", method,
                                              trial.change, static_cast<double>(trial.after_ps) * 1e-6,
                                              static_cast<double>(trial.before_ps) * 1e-6, trial.factor()),
                                  width, 2);
    if (trials.left_out) text += paragraph("Others would have taken longer than the run itself.", width);
    return text;
}

}   // namespace oscar
