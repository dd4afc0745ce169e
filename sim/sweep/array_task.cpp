#include "sim/sweep/array_task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "sim/config/error.hpp"
#include "sim/files/write_file.hpp"
#include "sim/sweep/key.hpp"
#include "sim/sweep/point_run.hpp"

namespace oscar {
namespace {

constexpr const char* another_folder = "choose another folder with -o DIR";

nlohmann::json manifest_in(const std::filesystem::path& file) {
    std::ifstream in(file);
    nlohmann::json manifest = nlohmann::json::parse(in, nullptr, false);
    if (manifest.is_discarded() || !manifest.is_object())
        throw InputError(
            fmt::format("{}: no manifest of a job array; a sweep with --executor slurm writes one", file.string()));
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
std::vector<TaskPoint> points_of(const nlohmann::json& manifest, const std::vector<Settings>& all, std::size_t task) {
    const std::size_t tasks = manifest.at("tasks");
    if (task >= tasks) throw InputError(fmt::format("--array-task: {} of {} tasks, from 0 on", task, tasks));
    std::vector<TaskPoint> points;
    const auto& listed = manifest.at("points");
    for (std::size_t i = task; i < listed.size(); i += tasks) {
        const std::size_t position = listed[i].at("position");
        if (position >= all.size() || to_text(all[position]) != listed[i].at("settings"))
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
