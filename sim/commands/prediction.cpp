#include "sim/commands/prediction.hpp"

#include <stdexcept>

#include "sim/config/base.hpp"
#include "sim/config/folder_name.hpp"
#include "sim/config/read.hpp"
#include "sim/describe/echo.hpp"
#include "sim/parameters/echo_parameters.hpp"
#include "sim/parameters/schedule_file.hpp"

namespace oscar {
namespace {

Schedule schedule_of(const PredictionParams& params, const ConfigNode& source) {
    if (!params.flow) return make_schedule(params.collective, params.ranks);
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

}   // namespace

nlohmann::ordered_json predict(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
    const auto [found, source] = load_named(file, FileKind::predict, overrides);
    auto params = read_params<PredictionParams>(source);
    require_keys(source, {"predictor", "sizes"});
    if (params.sizes.empty()) source.child("sizes").fail("no size; write it like [1MiB, 4MiB]");
    if (params.prediction.empty()) params.prediction = found.stem().string();
    require_folder_name(source.child("prediction"), params.prediction);
    read_goal_file(params.collective, params.ranks, source.child("collective"), found);
    const Schedule schedule = schedule_of(params, source);
    nlohmann::ordered_json result{{"schema", 1}, {"program_version", OSCAR_VERSION}, {"config", to_json(params)}};
    leave_out_one_channel(result["config"]["collective"]);
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
