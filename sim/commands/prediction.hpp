// `oscar-sim predict`: closed forms of a collective over many sizes, without simulation.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "models/predict/predictors.hpp"
#include "sim/terminal/text_table.hpp"

namespace oscar {

/// One message instead of a collective.
struct FlowParams {
    std::uint32_t from = 0, to = 1;
    static constexpr auto fields() {
        return Entries{field("from", &FlowParams::from, "sending rank", 0u, 4095u),
                       field("to", &FlowParams::to, "receiving rank", 0u, 4095u)};
    }
};

/// Everything that a prediction file can say.
struct PredictionParams {
    std::string prediction;
    Predictor predictor;
    std::uint32_t ranks = 8;
    Collective collective;
    std::optional<FlowParams> flow;
    std::vector<Bytes> sizes;
    static constexpr auto fields() {
        return Entries{
            field("prediction", &PredictionParams::prediction, "name of the results folder; default: that of the file"),
            field("predictor", &PredictionParams::predictor, "formula of the prediction"),
            field("ranks", &PredictionParams::ranks, "participants", 2u, 4096u),
            field("collective", &PredictionParams::collective,
                  "schedule of messages between ranks, for predictors that need one"),
            field("flow", &PredictionParams::flow, "one message in place of the collective; none: the collective"),
            field("sizes", &PredictionParams::sizes, "bytes of each rank's gradient"),
        };
    }
};

/// {schema, program_version, config, predictions: [{size, time_ps, choice, candidates: [{name, time_ps, fixed_ps |
/// null, carried_bytes | null, phases: [{name, time_ps, limiter}]}]}]}: the choice is the fastest candidate. Throws
/// ConfigError, naming the place in the file.
nlohmann::ordered_json predict(const std::filesystem::path& file, const std::vector<std::string>& overrides);

/// A line per size: time and choice, and the resource that limits each phase where the predictor names it.
std::string to_table(const nlohmann::ordered_json& prediction, const Screen& screen);

}   // namespace oscar
