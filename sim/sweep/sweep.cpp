#include "sim/sweep/sweep.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "sim/config/find.hpp"
#include "sim/config/folder_name.hpp"
#include "sim/report/write.hpp"
#include "sim/sweep/connection.hpp"
#include "sim/sweep/database.hpp"
#include "sim/sweep/folder_lock.hpp"
#include "sim/sweep/plan.hpp"
#include "sim/sweep/point_run.hpp"
#include "sim/sweep/processes/workers.hpp"
#include "sim/sweep/progress.hpp"
#include "sim/sweep/slurm_sweep.hpp"
#include "sim/sweep/sql.hpp"
#include "sim/sweep/sweep_table.hpp"

namespace oscar {
namespace {

namespace fs = std::filesystem;

/// Where a sweep comes from, and where its results go.
struct SweepPlaces {
    fs::path sweep_file, folder;
    fs::path database() const { return folder / "points.sqlite"; }
};

constexpr std::size_t most_shown = 240;   // of an error, in characters; the database has all of it

std::size_t usable_cores() {
    cpu_set_t set;
    return ::sched_getaffinity(0, sizeof set, &set) == 0 ? static_cast<std::size_t>(CPU_COUNT(&set)) : 1;
}

/// The number of processes that keeps all cores busy.
std::size_t processes(std::uint32_t threads) { return std::max<std::size_t>(1, usable_cores() / threads); }

std::string line_about(std::size_t position, const Point& point, const PointResult& result) {
    std::string line = fmt::format("point {} ({})", position, to_text(point.settings));
    return result.error.empty() ? line : fmt::format("{} failed: {:.{}}", line, result.error, most_shown);
}

/// Computes what is pending; gives the signal that interrupted it or 0.
int compute_pending(const SweepPlan& plan, const SweepOptions& options, const SweepPlaces& places, Database& database,
                    Tally& tally, std::FILE* stream) {
    const std::vector<std::size_t> pending = database.pending(options.retry_failed);
    const Interrupt interrupt;
    ProgressDisplay display(stream, options.quiet);
    if (options.retry_failed) tally.failed = 0;
    display.show(tally);
    const auto ended = [&](std::size_t position, const PointResult& result) {
        const Point& point = plan.points[position];
        database.record(point.key, plan.program, result);
        ++tally.computed;
        ++(result.error.empty() ? tally.done : tally.failed);
        display.ended(tally, line_about(position, point, result), !result.error.empty());
    };
    if (options.executor == Executor::slurm) {
        const SlurmArray array{"oscar-" + places.sweep_file.stem().string(), 0, options.jobs, options.threads};
        compute_on_slurm(plan, places.sweep_file, places.folder, array, pending, ended, interrupt);
        return interrupt.signal();
    }
    run_tasks(
        pending.size(), options.jobs == 0 ? processes(options.threads) : options.jobs,
        [&](std::size_t i, std::string& result) {
            return compute_point(plan.definition, plan.points[pending[i]].settings, options.threads, result);
        },
        [&](std::size_t i, const TaskEnd& end) { ended(pending[i], point_result(end)); }, interrupt);
    return interrupt.signal();
}

/// The name of the folder for the results of a sweep `file`.
std::string results_name(const fs::path& file) {
    std::string name = file.stem().string();
    if (const auto reason = why_no_folder_name(name))
        throw InputError(fmt::format("{}: {}, or choose a folder with -o DIR", file.string(), *reason));
    return name;
}

/// Fills in the ranking that is asked for.
void rank_points(const SweepPlan& plan, const SweepOptions& options, const Database& database, SweepEnd& end) {
    end.conditions = read_conditions(options.where, plan);
    const bool all = plan.uncompressed.size() == plan.methods.size();
    const Eligible compressing{end.conditions, all ? std::vector<std::string>{} : plan.uncompressed};
    end.least_error = database.smallest_error(compressing);
    if (options.best.empty()) {
        end.best = database.best(plan, end.conditions);
        return;
    }
    end.objectives = read_objectives(options.best, plan);
    if (end.objectives.size() > 1) end.left_out = compressing.without;
    end.ranked = database.best(end.objectives, {end.conditions, end.left_out});
    for (const RankedPoint& point : end.ranked) end.settings.push_back(to_text(plan.points[point.position].settings));
}

/// Computes what is pending of the plan.
SweepEnd run_plan(const SweepPlan& plan, const SweepOptions& options, const SweepPlaces& places,
                  std::FILE* progress) try {
    Database database(places.database());
    database.set_plan(plan);
    const PointCounts before = database.counts();
    Tally tally{plan.points.size(), before.done, before.failed, 0};
    const int signal = compute_pending(plan, options, places, database, tally, progress);
    for (const char* view : {"points", "methods"})
        write_by_rename(places.folder / (std::string(view) + ".csv"), to_csv(database.read(view)));
    const PointCounts after = database.counts();
    SweepEnd end{plan.points.size(),   after.done, after.failed, tally.computed, signal, places.folder.string(),
                 plan.methods.front(), {}};
    rank_points(plan, options, database, end);
    return end;
} catch (const SQLite::Exception& error) {
    refuse_database(places.database(), error);
}

fs::path results_folder(const SweepOptions& options, const fs::path& file) {
    return options.output.empty() ? fs::path("results") / results_name(file) : fs::path(options.output);
}

/// The status of the point with a key: `pending` where there is no database.
std::function<std::string(const std::string&)> status_reader(const fs::path& file) {
    if (!fs::exists(file)) return [](const std::string&) { return "pending"; };
    return [file, database = std::make_shared<Database>(file)](const std::string& key) {
        try {
            return database->status_of(key);
        } catch (const SQLite::Exception& error) {
            refuse_database(file, error);
        }
    };
}

}   // namespace

std::string list_points(const SweepOptions& options) {
    const fs::path file = find_config(options.file, FileKind::sweep);
    const SweepPlan plan = plan_sweep(file);
    const auto status_of = status_reader(results_folder(options, file) / "points.sqlite");
    std::string text;
    std::map<std::string, std::size_t> points;   // by status
    for (std::size_t i = 0; i < plan.points.size(); ++i) {
        const std::string status = status_of(plan.points[i].key);
        ++points[status];
        text += fmt::format("{:>5}  {:<7}  {}\n", i, status, to_text(plan.points[i].settings));
    }
    return text + tally_text({plan.points.size(), points["done"], points["failed"], 0});
}

void run_task_of_array(const SweepOptions& options, std::size_t task) {
    const fs::path file = find_config(options.file, FileKind::sweep);
    run_array_task(file, ArrayFiles(results_folder(options, file)), task, options.threads);
}

SweepEnd run_sweep(const SweepOptions& options, std::FILE* progress) {
    const fs::path file = find_config(options.file, FileKind::sweep);
    const SweepPlan plan = plan_sweep(file);
    if (options.executor == Executor::slurm) require_slurm();
    if (!options.best.empty()) read_objectives(options.best, plan);   // wrong words before any work
    read_conditions(options.where, plan);
    const SweepPlaces places{file, results_folder(options, file)};
    const OutputFolder output(places.folder);
    const FolderLock lock(places.folder);
    return run_plan(plan, options, places, progress);
}

}   // namespace oscar
