#include "sim/sweep/array_task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "sim/config/error.hpp"
#include "sim/describe/json_file.hpp"
#include "sim/describe/schema_check.hpp"
#include "sim/files/write_file.hpp"
#include "sim/sweep/key.hpp"
#include "sim/sweep/point_run.hpp"

namespace oscar {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* another_folder = "choose another folder with -o DIR";

Json manifest_schema() {
    const Json text{{"type", "string"}}, number{{"type", "number"}};
    const Json point{{"type", "object"}, {"properties", {{"position", number}, {"key", text}, {"settings", text}}}};
    return {{"type", "object"},
            {"properties", {{"program", text}, {"tasks", number}, {"points", {{"type", "array"}, {"items", point}}}}}};
}

bool is_count(const Json& object, const char* key) {
    return object.contains(key) && object.at(key).is_number_unsigned();
}

/// What is wrong with a manifest, as one written by write_manifest.
std::optional<std::string> find_problem(const Json& manifest) {
    if (auto mismatch = find_mismatch(manifest, manifest_schema())) return mismatch;
    if (!manifest.contains("program") || !manifest.contains("points")) return "has no program or no points";
    if (!is_count(manifest, "tasks") || manifest.at("tasks") == 0) return "has no number of tasks";
    for (const Json& point : manifest.at("points"))
        if (!is_count(point, "position") || !point.contains("key") || !point.contains("settings"))
            return "has a point without position, key or settings";
    return std::nullopt;
}

Json manifest_in(const std::filesystem::path& file) {
    constexpr std::string_view remedy = "no manifest of a job array; a sweep with --executor slurm writes one";
    Json manifest = read_json(file, remedy);
    if (const auto problem = find_problem(manifest))
        throw InputError(fmt::format("{}: {}; {}", file.string(), *problem, remedy));
    if (manifest.at("program") != program_identity())
        throw InputError(fmt::format("{}: of another version of the program ({}); start the sweep again", file.string(),
                                     manifest.at("program").get<std::string>()));
    return manifest;
}

struct TaskPoint {
    std::string key;
    Settings settings;
};

/// Those of one task, in order.
std::vector<TaskPoint> points_of(const Json& manifest, const std::vector<Settings>& all, std::size_t task) {
    const std::size_t tasks = manifest.at("tasks");
    if (task >= tasks) throw InputError(fmt::format("--array-task: {} of {} tasks, from 0 on", task, tasks));
    std::vector<TaskPoint> points;
    const auto& listed = manifest.at("points");
    for (std::size_t i = task; i < listed.size(); i += tasks) {
        const std::size_t position = listed[i].at("position");
        if (position >= all.size() || to_text(all[position]) != listed[i].at("settings").get<std::string>())
            throw InputError("the axes have changed since the job was submitted; start the sweep again");
        points.push_back({listed[i].at("key"), all[position]});
    }
    return points;
}

}   // namespace

std::size_t write_manifest(const ArrayFiles& files, const SweepPlan& plan, std::span<const std::size_t> positions) {
    std::filesystem::create_directories(files.results());
    nlohmann::ordered_json points = nlohmann::ordered_json::array();
    for (const std::size_t position : positions) {
        const Point& point = plan.points[position];
        points.push_back({{"position", position}, {"key", point.key}, {"settings", to_text(point.settings)}});
    }
    const std::size_t tasks = std::min(positions.size(), most_array_tasks);
    const nlohmann::ordered_json manifest{{"program", plan.program}, {"tasks", tasks}, {"points", points}};
    replace_file(files.manifest(), manifest.dump(1) + "\n", another_folder);
    return tasks;
}

void run_array_task(const std::filesystem::path& sweep_file, const ArrayFiles& files, std::size_t task,
                    std::uint32_t threads) {
    const SweepDefinition definition = load_sweep(sweep_file);
    const auto points = points_of(manifest_in(files.manifest()), grid(definition.axes), task);
    std::vector<TaskPoint> missing;
    std::ranges::copy_if(points, std::back_inserter(missing),
                         [&](const TaskPoint& point) { return !std::filesystem::exists(files.result(point.key)); });
    const Interrupt interrupt;
    run_tasks(
        missing.size(), 1,
        [&](std::size_t i, std::string& result) {
            return compute_point(definition, missing[i].settings, threads, result);
        },
        [&](std::size_t i, const TaskEnd& end) {
            replace_file(files.result(missing[i].key), to_text(point_result(end)), another_folder);
        },
        interrupt);
}

}   // namespace oscar
