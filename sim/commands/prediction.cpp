#include "sim/commands/prediction.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string_view>

#include "sim/checks/load_experiment.hpp"
#include "sim/checks/places.hpp"
#include "sim/config/base.hpp"
#include "sim/config/folder_name.hpp"
#include "sim/config/load.hpp"
#include "sim/config/read.hpp"
#include "sim/describe/echo.hpp"
#include "sim/parameters/echo_parameters.hpp"
#include "sim/parameters/nccl.hpp"
#include "sim/parameters/schedule_file.hpp"

namespace oscar {
namespace {

Schedule schedule_of_collective(const PredictionParams& params, const ConfigNode& source) {
    try {
        return make_schedule(params.collective, params.ranks);
    } catch (const std::invalid_argument& error) {
        fail_with(source.child("collective"), error.what());
    }
}

Schedule schedule_of(const PredictionParams& params, const ConfigNode& source) {
    if (!params.flow) return schedule_of_collective(params, source);
    const auto [from, to] = *params.flow;
    if (from >= params.ranks || to >= params.ranks || from == to)
        source.child("flow").fail("ranks " + std::to_string(from) + " and " + std::to_string(to) +
                                  " must be two of 0 to " + std::to_string(params.ranks - 1));
    return {params.ranks, 1, {{Rank{from}, Rank{to}, ChunkId{}, Op::copy, Timestep{}, {}}}};
}

/// The candidates for the size at `position` in the list.
std::vector<Predicted> candidates_for(const PredictionParams& params, const ConfigNode& source,
                                      const Predictable& collective, std::size_t position) {
    try {
        return predictions(params.predictor, collective);
    } catch (const std::invalid_argument& error) {
        source.child("predictor").fail(error.what());
    } catch (const OutOfRange& error) {
        source.child("sizes")
            .child(std::to_string(position))
            .fail("at " + to_text(collective.size) + " " + error.what() + "; lower the size, or raise the bandwidth");
    }
}

nlohmann::ordered_json to_json(const Predicted& candidate) {
    nlohmann::ordered_json object{{"name", candidate.name}, {"time_ps", candidate.time.ps}};
    object["fixed_ps"] = candidate.line ? nlohmann::ordered_json(candidate.line->fixed.ps) : nullptr;
    object["carried_bytes"] = candidate.line ? nlohmann::ordered_json(candidate.line->carried.count) : nullptr;
    object["phases"] = nlohmann::ordered_json::array();
    for (const auto& [name, time, limiter] : candidate.phases)
        object["phases"].push_back({{"name", name}, {"time_ps", time.ps}, {"limiter", limiter}});
    return object;
}

/// The limiter of each phase of the chosen candidate.
std::string limiters(const nlohmann::ordered_json& row) {
    std::string text;
    for (const auto& candidate : row["candidates"])
        if (candidate["name"] == row["choice"])
            for (const auto& phase : candidate["phases"])
                text += (text.empty() ? "" : ", ") + phase["name"].get<std::string>() + ": " +
                        phase["limiter"].get<std::string>();
    return text;
}

nlohmann::ordered_json to_json(Bytes size, const std::vector<Predicted>& candidates) {
    const Predicted& best = fastest(candidates);
    nlohmann::ordered_json object{{"size", size.count}, {"time_ps", best.time.ps}, {"choice", best.name}};
    for (const Predicted& candidate : candidates) object["candidates"].push_back(to_json(candidate));
    return object;
}

/// The sizes at which a machine is predicted that names none.
constexpr std::string_view usual_sizes =
    "[1KiB, 4KiB, 16KiB, 64KiB, 256KiB, 1MiB, 4MiB, 16MiB, 64MiB, 256MiB, 1GiB, 4GiB, 16GiB]";

/// An experiment whose machine NCCL's tuner describes, as a prediction of that tuner.
ConfigNode prediction_of(const ConfigNode& experiment) {
    ConfigNode root = experiment;
    root.children.clear();
    const auto take = [&](std::string_view name, std::string_view as) {
        if (const ConfigNode* node = experiment.find(name)) set_value(root, as, *node);
    };
    take("experiment", "prediction");
    take("ranks", "ranks");
    take("sizes", "sizes");
    take("tuner", "predictor");
    apply_override(root, "predictor.kind=nccl");
    if (root.find("sizes") == nullptr) apply_override(root, fmt::format("sizes={}", usual_sizes));
    return root;
}

/// The prediction of NCCL's tuner on the machine of an experiment whose collective it chooses; `sizes` may stand in the
/// experiment. ConfigError: as load_experiment, and a trace.
ConfigNode prediction_on_machine(const FoundConfig& found) {
    ConfigNode root = over_its_bases(found.root, found.file), sizes = root.child("sizes");
    std::erase_if(root.children, [](const ConfigNode& entry) { return entry.key == "sizes"; });
    const Experiment experiment = make_experiment(root, found.file);
    const Parameters& p = experiment.parameters;
    root.children.clear();
    const auto fields = to_json(tuner_of(p));
    apply_override(root, fmt::format("predictor={}", fields.dump()));
    apply_override(root, "predictor.kind=nccl");
    apply_override(root, fmt::format("ranks={}", p.ranks));
    apply_override(root, fmt::format("prediction={}", p.experiment));
    if (sizes.form != ConfigNode::Form::null) set_value(root, "sizes", std::move(sizes));
    else apply_override(root, fmt::format("sizes={}", usual_sizes));
    return root;
}

/// True for an experiment, which has no predictor, with collective nccl.
bool has_choice_of_nccl(const ConfigNode& root) {
    const ConfigNode collective = root.child("collective");
    return root.find("predictor") == nullptr && (collective.text == "nccl" || collective.child("kind").text == "nccl");
}

/// The prediction in a file, or that of the tuner in an experiment.
FoundConfig load_prediction(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
    FoundConfig found = load_named(file, FileKind::predict, overrides);
    if (found.root.find("tuner") != nullptr) found.root = prediction_of(found.root);
    else if (has_choice_of_nccl(found.root)) found.root = prediction_on_machine(found);
    return found;
}

/// Formulas know no processors: computations may only say what flows wait for, which then stands with the flows.
void check_computations(FlowsParams& flows, const ConfigNode& source) {
    for (const ComputationSpec& computation : flows.computations)
        if (computation.time > Time{})
            source.child("collective")
                .fail("rank " + std::to_string(computation.rank) + " computes for " + to_text(computation.time) +
                      ", which no predictor counts; let oscar-sim run simulate it");
    flows = without_computations(std::move(flows));
}

/// A file with a predictor has no machine for NCCL to choose by.
void check_choice(const PredictionParams& params, const ConfigNode& source) {
    if (!std::holds_alternative<NcclCollectiveParams>(params.collective.params)) return;
    source.child("collective")
        .fail(fmt::format("nccl chooses by the machine, which predictor {} does not have; name the schedule, like "
                          "ring, double_binary_tree or {{kind: hierarchical, inside: switch}}, or let oscar-sim "
                          "predict an experiment with collective: nccl",
                          params.predictor.name()));
}

/// Two predictors tell the time of an AllReduce, whatever the collective.
void check_operation(const PredictionParams& params, const ConfigNode& source) {
    const bool chooses = std::holds_alternative<NcclParams>(params.predictor.params) ||
                         std::holds_alternative<RooflineParams>(params.predictor.params);
    if (chooses && operation_of(params.collective) != Operation::all_reduce)
        source.child("collective")
            .fail(fmt::format("predictor {} tells the time of an AllReduce alone; leave the collective out, or choose "
                              "predictor: analytical or log_gop",
                              params.predictor.name()));
}

}   // namespace

nlohmann::ordered_json predict(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
    const auto [found, source] = load_prediction(file, overrides);
    auto params = read_params<PredictionParams>(source);
    require_keys(source, {"predictor", "sizes"});
    if (params.sizes.empty()) source.child("sizes").fail("no size; write it like [1MiB, 4MiB]");
    if (params.prediction.empty()) params.prediction = found.stem().string();
    require_folder_name(source.child("prediction"), params.prediction);
    read_goal_file(params.collective, params.ranks, source.child("collective"), found);
    if (auto* flows = std::get_if<FlowsParams>(&params.collective.params)) check_computations(*flows, source);
    check_choice(params, source);
    check_operation(params, source);
    const Schedule schedule = schedule_of(params, source);
    nlohmann::ordered_json result{{"schema", 1}, {"program_version", OSCAR_VERSION}, {"config", to_json(params)}};
    leave_out_one_channel(result["config"]["collective"]);
    leave_out_islands(result["config"]["collective"], false);
    for (std::size_t i = 0; i < params.sizes.size(); ++i) {
        const Bytes size = params.sizes[i];
        result["predictions"].push_back(to_json(size, candidates_for(params, source, {schedule, size}, i)));
    }
    return result;
}

std::string to_table(const nlohmann::ordered_json& prediction, const Screen& screen) {
    std::vector<Row> rows{{"size", "time us", "choice"}};
    const auto& predictions = prediction["predictions"];
    const bool limited = !limiters(predictions[0]).empty();
    if (limited) rows.front().emplace_back("limited by");
    for (const auto& row : predictions) {
        rows.push_back({to_text(Bytes{row["size"].get<std::uint64_t>()}),
                        microseconds(row["time_ps"].get<std::int64_t>()), row["choice"].get<std::string>()});
        if (limited) rows.back().push_back(limiters(row));
    }
    return aligned(rows, screen);
}

}   // namespace oscar
