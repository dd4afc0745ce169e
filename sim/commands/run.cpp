#include "sim/commands/run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sim/commands/prediction.hpp"
#include "sim/commands/trials.hpp"
#include "sim/config/suggest.hpp"
#include "sim/describe/json_text.hpp"
#include "sim/report/tables/table.hpp"
#include "sim/run/exit_status.hpp"
#include "sim/run/experiment.hpp"
#include "sim/traffic/run.hpp"

namespace oscar {
namespace {

/// `--baseline NAME` names a method of the experiment.
void check_baseline(const std::string& baseline, const std::vector<Method>& methods) {
    std::vector<std::string_view> names(methods.size());
    std::ranges::transform(methods, names.begin(), [](const Method& method) { return std::string_view(method.name); });
    if (baseline.empty() || std::ranges::find(names, baseline) != names.end()) return;
    throw InputError(fmt::format("--baseline {}: no such method{}; known: {}", baseline, did_you_mean(baseline, names),
                                 fmt::join(names, ", ")));
}

/// True if the tables say what would be faster, and the configuration can be read again to try it.
bool explains(const RunOptions& options) {
    const OutputOptions& output = options.output;
    return output.view.explain && output.view.format == Format::tables && !output.quiet && !output.json &&
           output.folder != "-" && options.config != "-";
}

}   // namespace

int run_experiment(const RunOptions& options) {
    const Experiment experiment = with_progress(options.output, [&](const Progress& progress) {
        progress("configuration and its checks", 0);
        return load_experiment(options.config, options.overrides);
    });
    check_baseline(options.output.view.baseline, experiment.parameters.methods);
    const Results results(options.output, experiment.parameters.experiment);
    const auto need_folder = [&](bool asked, const char* key) {
        if (asked && !results.have_folder())
            experiment.source.child(key).fail("is a file of its own; name a folder for it with -o DIR");
    };
    need_folder(experiment.parameters.waveform.has_value(), "waveform");
    need_folder(experiment.parameters.timeline, "timeline");
    const Announce announce = [&](const std::string& sentence) {
        if (!options.output.quiet) fmt::print(stderr, "oscar-sim: {}\n", sentence);
    };
    const Report report = with_progress(
        options.output, [&](const Progress& progress) { return run(experiment, progress, options.threads, announce); });
    results.show(
        to_json(report),
        [&] {
            const View& view = options.output.view;
            return view.format == Format::nccl ? nccl_table(report) : to_table(report, view);
        },
        [&] { write_report(report, results.folder()); });
    if (explains(options)) {
        const Trials trials = with_progress(options.output, [&](const Progress& progress) {
            progress("remedies", 0);
            return try_remedies(options, experiment, report);
        });
        fmt::print("{}", to_text(trials, options.output.view.screen.width));
    }
    const auto defect = find_report_problem(report);
    if (defect) fmt::print(stderr, "oscar-sim: {}\n", *defect);
    return defect ? other_failure : 0;
}

int run_traffic(const RunOptions& options) {
    const TrafficParameters parameters = load_traffic(options.config, options.overrides);
    const Results results(options.output, parameters.experiment);
    const TrafficReport report =
        with_progress(options.output, [&](const Progress& progress) { return run_traffic(parameters, progress); });
    results.show(
        to_json(report), [&] { return to_table(report, options.output.view.screen); },
        [&] { write_report(report, results.folder()); });
    return 0;
}

int run_prediction(const RunOptions& options) {
    const auto prediction = with_progress(options.output, [&](const Progress& progress) {
        progress("formulas", 0);
        return predict(options.config, options.overrides);
    });
    const Results results(options.output, prediction["config"]["prediction"].get<std::string>());
    constexpr const char* file = "prediction.json";
    results.show(
        prediction, [&] { return to_table(prediction, options.output.view.screen); },
        [&] { write_by_rename(results.folder() / file, json_text(prediction) + "\n"); }, file);
    return 0;
}

}   // namespace oscar
