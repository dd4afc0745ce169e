#include "sim/sweep/sweep.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "sim/config/find.hpp"
#include "sim/config/folder_name.hpp"
#include "sim/report/write.hpp"
#include "sim/run/exit_status.hpp"
#include "sim/run/experiment.hpp"
#include "sim/sweep/database.hpp"
#include "sim/sweep/folder_lock.hpp"
#include "sim/sweep/plan.hpp"
#include "sim/sweep/progress.hpp"
#include "sim/sweep/sql.hpp"
#include "sim/sweep/sweep_table.hpp"
#include "sim/sweep/workers.hpp"

namespace oscar {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_shown = 240;   // of an error, in characters; the database has all of it

std::size_t usable_cores() {
    cpu_set_t set;
    return ::sched_getaffinity(0, sizeof set, &set) == 0 ? static_cast<std::size_t>(CPU_COUNT(&set)) : 1;
}

/// The number of processes that keeps all cores busy.
std::size_t processes(std::uint32_t threads) { return std::max<std::size_t>(1, usable_cores() / threads); }

/// In a child process: runs one point as `oscar-sim run` would.
int compute(const SweepDefinition& definition, const Settings& settings, std::uint32_t threads, std::string& result) {
    const Report report = run(
        experiment_of(definition, settings), [](const std::string&, double) {}, threads);
    if (const auto defect = find_report_problem(report)) {
        result = *defect;
        return other_failure;
    }
    result = to_json(report).dump();
    return 0;
}

/// `text` with "; " between its lines, which are not indented any more.
std::string one_line(std::string_view text) {
    std::string line;
    while (!text.empty()) {
        const std::string_view part = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), part.size() + 1));
        if (const std::size_t begin = part.find_first_not_of(' '); begin != std::string_view::npos)
            line.append(line.empty() ? "" : "; ").append(part.substr(begin));
    }
    return line;
}

PointResult point_result(const TaskEnd& end) {
    if (end.status == 0) return {0, "", end.result, end.wall_s};
    return {end.status, end.error.empty() ? fmt::format("ended with status {}", end.status) : one_line(end.error), "",
            end.wall_s};
}

std::string line_about(std::size_t position, const Point& point, const PointResult& result) {
    std::string line = fmt::format("point {} ({})", position, to_text(point.settings));
    return result.error.empty() ? line : fmt::format("{} failed: {:.{}}", line, result.error, most_shown);
}

/// Computes what is pending; gives the signal that interrupted it or 0.
int compute_pending(const SweepPlan& plan, const SweepOptions& options, Database& database, Tally& tally,
                    std::FILE* stream) {
    const std::vector<std::size_t> pending = database.pending(options.retry_failed);
    const Interrupt interrupt;
    ProgressDisplay display(stream);
    if (options.retry_failed) tally.failed = 0;
    display.show(tally);
    const auto task = [&](std::size_t i, std::string& result) {
        return compute(plan.definition, plan.points[pending[i]].settings, options.threads, result);
    };
    const auto ended = [&](std::size_t i, const TaskEnd& end) {
        const Point& point = plan.points[pending[i]];
        const PointResult result = point_result(end);
        database.record(point.key, plan.program, result);
        ++tally.computed;
        ++(result.error.empty() ? tally.done : tally.failed);
        display.ended(tally, line_about(pending[i], point, result), !result.error.empty());
    };
    run_tasks(pending.size(), options.jobs == 0 ? processes(options.threads) : options.jobs, task, ended, interrupt);
    return interrupt.signal();
}

/// The name of the folder for the results of a sweep `file`.
std::string results_name(const fs::path& file) {
    std::string name = file.stem().string();
    if (const auto reason = why_no_folder_name(name))
        throw InputError(fmt::format("{}: {}, or choose a folder with -o DIR", file.string(), *reason));
    return name;
}

/// Computes what is pending of the plan, with its database in `file`.
SweepEnd run_plan(const SweepPlan& plan, const SweepOptions& options, const fs::path& file, std::FILE* progress) try {
    Database database(file);
    database.set_plan(plan);
    const PointCounts before = database.counts();
    Tally tally{plan.points.size(), before.done, before.failed, 0};
    const int signal = compute_pending(plan, options, database, tally, progress);
    for (const char* view : {"points", "methods"})
        write_by_rename(file.parent_path() / (std::string(view) + ".csv"), to_csv(database.read(view)));
    const PointCounts after = database.counts();
    return {plan.points.size(),          after.done,           after.failed,       tally.computed, signal,
            file.parent_path().string(), plan.methods.front(), database.best(plan)};
} catch (const SQLite::Exception& error) {
    refuse_database(file, error);
}

fs::path results_folder(const SweepOptions& options, const fs::path& file) {
    return options.output.empty() ? fs::path("results") / results_name(file) : fs::path(options.output);
}

}   // namespace

std::string list_points(const SweepOptions& options) {
    const fs::path file = find_config(options.file, FileKind::sweep);
    const SweepPlan plan = plan_sweep(file);
    const fs::path results = results_folder(options, file) / "points.sqlite";
    std::optional<Database> database;
    if (fs::exists(results)) database.emplace(results);
    std::string text;
    std::map<std::string, std::size_t> points;   // by status
    for (std::size_t i = 0; i < plan.points.size(); ++i) {
        const std::string status = database ? database->status_of(plan.points[i].key) : "pending";
        ++points[status];
        text += fmt::format("{:>5}  {:<7}  {}\n", i, status, to_text(plan.points[i].settings));
    }
    return text + tally_text({plan.points.size(), points["done"], points["failed"], 0});
}

SweepEnd run_sweep(const SweepOptions& options, std::FILE* progress) {
    const fs::path file = find_config(options.file, FileKind::sweep);
    const SweepPlan plan = plan_sweep(file);
    const fs::path folder = results_folder(options, file);
    const OutputFolder output(folder);
    const FolderLock lock(folder);
    return run_plan(plan, options, folder / "points.sqlite", progress);
}

}   // namespace oscar
