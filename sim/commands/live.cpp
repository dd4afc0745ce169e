#include "sim/commands/live.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/checks/load_experiment.hpp"
#include "sim/config/error.hpp"
#include "sim/run/live_run.hpp"

namespace oscar {
namespace {

using Json = nlohmann::ordered_json;

/// The request of a line; null at the end of the input.
Json next_request(std::istream& in) {
    std::string line;
    if (!std::getline(in, line)) return nullptr;
    Json request = Json::parse(line, nullptr, false);
    if (!request.is_object() || request.size() != 1)
        throw InputError(fmt::format("live: no request: {}; write an object of one key in a line of its own, like {}",
                                     line.substr(0, 80), R"({"step": {}})"));
    return request;
}

/// `{"layers": [{"name": "conv1.weight", "shape": [6, 1, 5, 5]}]}`
std::vector<TraceLayer> read_layers(const Json& request) {
    std::vector<TraceLayer> layers;
    try {
        for (const Json& layer : request.at("layers"))
            layers.push_back(
                {layer.at("name").get<std::string>(), layer.at("shape").get<std::vector<std::uint64_t>>(), Time{}});
    } catch (const Json::exception&) {
        layers.clear();
    }
    bool empty = layers.empty();
    for (const TraceLayer& layer : layers)
        for (const std::uint64_t size : layer.shape) empty = empty || size == 0;
    if (empty)
        throw InputError(
            "live: the first request names the layers, each of one value at least; write it like "
            R"({"layers": [{"name": "weight", "shape": [10, 256]}]})");
    return layers;
}

/// fp32 values of each rank, least significant byte first.
std::vector<std::vector<float>> read_gradients(std::istream& in, const LiveRun& run) {
    std::vector<std::vector<float>> gradients(run.ranks(), std::vector<float>(run.elements()));
    for (std::vector<float>& values : gradients) {
        const auto bytes = static_cast<std::streamsize>(4 * values.size());
        if (!in.read(reinterpret_cast<char*>(values.data()), bytes))
            throw InputError(
                fmt::format("live: the input ends within the gradients of a step, which are {} ranks of {} "
                            "values of 4 bytes",
                            run.ranks(), run.elements()));
    }
    return gradients;
}

Json figures_of(const LiveStep& step) {
    Json gains = Json::array();
    for (const auto& [factor, gain] : step.gains) gains.push_back({factor, gain});
    return {{"step_ps", step.step.ps},
            {"allreduce_ps", step.result.allreduce_ps},
            {"gpu_kernel_ps", step.result.gpu_kernel_ps},
            {"payload_bytes", step.result.payload_bytes},
            {"wire_bytes", step.result.wire_bytes},
            {"sums_match_reference", step.result.sums_match_reference.value_or(true)},
            {"floats", step.floats},
            {"factors", step.factors},
            {"gains", gains}};
}

void answer(std::ostream& out, const Json& line, const std::vector<float>& values = {}) {
    out << line.dump() << '\n';
    out.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(4 * values.size()));
    out.flush();
}

void serve(LiveRun& run, const Json& request, std::istream& in, std::ostream& out) {
    const std::string& what = request.begin().key();
    if (what == "step") {
        const LiveStep step = run.step(read_gradients(in, run));
        return answer(out, figures_of(step), step.mean);
    }
    const Json& rate = request.begin().value();
    if (what != "end_epoch" || !rate.is_number())
        throw InputError(fmt::format("live: no such request: {}; known: step, end_epoch with a learning rate", what));
    run.end_epoch(rate.get<double>());
    answer(out, Json::object());
}

}   // namespace

int serve_training(const LiveOptions& options, std::istream& in, std::ostream& out) {
    std::vector<std::string> overrides = options.overrides;
    overrides.push_back("trace=live");   // a name in place of a folder: the gradients come from the training
    const Experiment experiment = load_experiment(options.config, overrides);
    const Json first = next_request(in);
    if (first.is_null()) return 0;
    LiveRun run(experiment, read_layers(first));
    answer(out, {{"ranks", run.ranks()}, {"values", run.elements()}});
    for (Json request = next_request(in); !request.is_null(); request = next_request(in)) serve(run, request, in, out);
    return 0;
}

}   // namespace oscar
