#include "sim/commands/live.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/checks/load_experiment.hpp"
#include "sim/config/error.hpp"
#include "sim/config/load.hpp"
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

constexpr std::uint64_t most_values = 1ULL << 31;   ///< of a layer, as of a bucket

[[noreturn]] void refuse_layer(std::size_t number, const Json& layer) {
    throw InputError(
        fmt::format("live: layer {} {}: its sizes are whole numbers from 1 on, 2^31 values in all; write it "
                    R"(like {{"name": "weight", "shape": [10, 256]}})",
                    number, layer.dump()));
}

TraceLayer read_layer(const Json& layer, std::size_t number) {
    const bool has_form = layer.is_object() && layer.size() == 2 && layer.contains("name") &&
                          layer["name"].is_string() && layer.contains("shape") && layer["shape"].is_array();
    if (!has_form) refuse_layer(number, layer);
    TraceLayer result{layer["name"].get<std::string>(), {}, Time{}};
    std::uint64_t values = 1;
    for (const Json& size : layer["shape"]) {
        const bool fits = size.is_number_unsigned() && size.get<std::uint64_t>() > 0 &&
                          size.get<std::uint64_t>() <= most_values / values;
        if (!fits) refuse_layer(number, layer);
        result.shape.push_back(size.get<std::uint64_t>());
        values *= result.shape.back();
    }
    return result;
}

/// `{"layers": [{"name": "conv1.weight", "shape": [6, 1, 5, 5]}]}`
std::vector<TraceLayer> read_layers(const Json& request) {
    std::vector<TraceLayer> layers;
    const Json& list = request.begin().value();
    if (request.begin().key() != "layers" || !list.is_array() || list.empty())
        throw InputError(
            "live: the first request names the layers, one at least; write it like "
            R"({"layers": [{"name": "weight", "shape": [10, 256]}]})");
    for (const Json& layer : list) layers.push_back(read_layer(layer, layers.size()));
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
    for (const FactorGain& of : step.gains)
        gains.push_back({of.factor, of.gain, of.throughput ? Json(*of.throughput) : Json()});
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
    const Json& about = request.begin().value();
    if (what == "step" && about.is_object() && about.empty()) {
        const LiveStep step = run.step(read_gradients(in, run));
        return answer(out, figures_of(step), step.mean);
    }
    if (what != "end_epoch" || !about.is_number() || about.get<double>() < 0)
        throw InputError(fmt::format(
            R"(live: no such request: {}; known: {{"step": {{}}}}, {{"end_epoch": LEARNING_RATE}})", request.dump()));
    run.end_epoch(about.get<double>());
    answer(out, Json::object());
}

}   // namespace

int serve_training(const LiveOptions& options, std::istream& in, std::ostream& out) {
    FoundConfig found = load_named(options.config, FileKind::run, options.overrides);
    check_for_live(found.root);
    apply_override(found.root, "trace=live");   // a name in place of a folder: the gradients come from the training
    const Experiment experiment = make_experiment(std::move(found.root), found.file);
    check_for_live(experiment);
    const Json first = next_request(in);
    if (first.is_null()) return 0;
    LiveRun run(experiment, read_layers(first));
    answer(out, {{"ranks", run.ranks()}, {"values", run.elements()}, {"has_momentum", run.has_momentum()}});
    for (Json request = next_request(in); !request.is_null(); request = next_request(in)) serve(run, request, in, out);
    return 0;
}

}   // namespace oscar
