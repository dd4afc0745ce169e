#include "sim/page/training_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "sim/config/error.hpp"
#include "sim/describe/json_file.hpp"
#include "sim/describe/schema_check.hpp"

namespace oscar {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t window = 3;   // evaluations whose mean is a quality: one evaluation alone is noisy
constexpr std::string_view dense = "dense";

std::vector<fs::path> record_files(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder, none)) {
        const std::string name = entry.path().filename().string();
        if (name.ends_with(".json") && name.find("-seed") != std::string::npos) files.push_back(entry.path());
    }
    std::ranges::sort(files);
    return files;
}

double mean(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Of a sample; 0 of fewer than two.
double deviation(const std::vector<double>& values) {
    if (values.size() < 2) return 0;
    double squares = 0;
    for (const double value : values) squares += (value - mean(values)) * (value - mean(values));
    return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

std::vector<Evaluation> evaluations_of(const Json& rows) {
    std::vector<Evaluation> evaluations;
    std::vector<double> qualities;
    for (const Json& row : rows) {
        qualities.push_back(row.at("quality").get<double>());
        const std::size_t first = qualities.size() > window ? qualities.size() - window : 0;
        evaluations.push_back({row.at("step").get<std::uint64_t>(), row.at("seconds").get<double>(),
                               row.at("payload_bytes").get<double>(),
                               mean({qualities.begin() + static_cast<std::ptrdiff_t>(first), qualities.end()})});
    }
    return evaluations;
}

/// Its keys and their types; a record has more, which nothing here reads.
Json record_schema() {
    const Json text{{"type", "string"}}, number{{"type", "number"}};
    const Json row{
        {"type", "object"},
        {"properties", {{"step", number}, {"seconds", number}, {"payload_bytes", number}, {"quality", number}}}};
    return {{"type", "object"},
            {"properties",
             {{"metric", text},
              {"method", text},
              {"seed", number},
              {"ended", text},
              {"rows", {{"type", "array"}, {"items", row}}}}}};
}

/// The first key of the schema that an object lacks.
std::optional<std::string> find_missing(const Json& object, const Json& schema) {
    for (const auto& [key, due] : schema.at("properties").items())
        if (!object.contains(key)) return key;
    return std::nullopt;
}

/// The record in a file, with every key that is read.
Json record_in(const fs::path& file) {
    static const Json due = record_schema();
    constexpr std::string_view remedy = "it is no record of a training; move it away";
    Json record = read_json(file, remedy);
    auto problem = find_mismatch(record, due);
    const auto check = [&](const Json& object, const Json& schema) {
        if (problem) return;
        if (const auto key = find_missing(object, schema)) problem = fmt::format("has no {}", *key);
        else
            for (const char* count : {"seed", "step"})
                if (object.contains(count) && !object.at(count).is_number_unsigned())
                    problem = fmt::format("{} is no whole number from 0 on", count);
    };
    check(record, due);
    if (!problem)
        for (const Json& row : record.at("rows")) check(row, due.at("properties").at("rows").at("items"));
    if (problem) throw InputError(fmt::format("{}: {}; {}", file.string(), *problem, remedy));
    return record;
}

/// Adds the record of a file.
void add(const fs::path& file, TrainingResults& results) {
    const Json record = record_in(file);
    const auto metric = record.at("metric").get<std::string>(), name = record.at("method").get<std::string>();
    if (results.metric.empty()) results.metric = metric;
    if (metric != results.metric)
        throw InputError(
            fmt::format("{}: is judged by '{}', the records before it by '{}'; name the folder of one file "
                        "of trainings",
                        file.string(), metric, results.metric));
    auto method = std::ranges::find(results.methods, name, &TrainedMethod::name);
    if (method == results.methods.end()) method = results.methods.insert(method, {name, {}});
    method->runs.push_back({record.at("seed").get<std::uint64_t>(), record.at("ended").get<std::string>(),
                            evaluations_of(record.at("rows"))});
}

/// The moment at which a run is at the target; its first qualities are of fewer evaluations and do not count.
std::optional<double> first_at(const TrainingRun& run, double target, bool rising) {
    for (std::size_t i = window - 1; i < run.evaluations.size(); ++i) {
        const double quality = run.evaluations[i].quality;
        if (rising ? quality >= target : quality <= target) return run.evaluations[i].seconds;
    }
    return std::nullopt;
}

}   // namespace

std::optional<TrainedMethod::Quality> TrainedMethod::quality() const {
    std::vector<double> last;
    for (const TrainingRun& run : runs)
        if (!run.evaluations.empty()) last.push_back(run.evaluations.back().quality);
    if (last.empty()) return std::nullopt;
    return Quality{mean(last), deviation(last)};
}

std::optional<double> TrainingResults::target() const {
    const auto method = std::ranges::find(methods, dense, &TrainedMethod::name);
    if (method == methods.end()) return std::nullopt;
    const auto quality = method->quality();
    if (!quality) return std::nullopt;
    return quality->mean + (rising ? -quality->deviation : quality->deviation);
}

std::optional<double> TrainingResults::time_to_target(const TrainedMethod& method) const {
    const auto goal = target();
    std::vector<double> times;
    for (const TrainingRun& run : method.runs)
        if (const auto time = goal ? first_at(run, *goal, rising) : std::nullopt) times.push_back(*time);
    std::ranges::sort(times);
    const std::size_t median = method.runs.size() / 2;
    return median < times.size() ? std::optional(times[median]) : std::nullopt;
}

bool holds_trainings(const fs::path& folder) { return !record_files(folder).empty(); }

TrainingResults read_training_records(const fs::path& folder) {
    TrainingResults results{folder, {}, true, {}};
    for (const fs::path& file : record_files(folder)) add(file, results);
    if (results.methods.empty())
        throw InputError(fmt::format("{}: has no record of a training; name a folder that scripts/train has written",
                                     folder.string()));
    results.rising = !results.metric.starts_with("nats");
    std::ranges::sort(results.methods, {},
                      [](const TrainedMethod& method) { return std::pair(method.name != dense, method.name); });
    for (TrainedMethod& method : results.methods) std::ranges::sort(method.runs, {}, &TrainingRun::seed);
    return results;
}

}   // namespace oscar
