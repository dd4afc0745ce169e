// `oscar-sim sweep`: a grid of experiments on local processes or by Slurm, with every result kept in a database.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "models/core/fields.hpp"
#include "sim/sweep/best_points.hpp"
#include "sim/sweep/ranking.hpp"

namespace oscar {

/// Where points are computed.
enum class Executor : std::uint8_t { local, slurm };
constexpr auto choices(Executor) {
    return std::array{Choice{"local", Executor::local, "in processes of this machine"},
                      Choice{"slurm", Executor::slurm, "as job arrays of Slurm"}};
}

struct SweepOptions {
    std::string file;     ///< sweep file
    std::string output;   ///< folder of the results; empty: results/<name of the file>
    Executor executor = Executor::local;
    std::size_t jobs = 0;        ///< processes at a time; 0: the usable cores / `threads`, or as many as Slurm starts
    std::uint32_t threads = 1;   ///< of each process
    bool retry_failed = false;
    bool dry_run = false;                         ///< only look
    std::string best = {};                        ///< see read_objectives; empty: where each method gains most
    std::vector<std::string> where = {};          ///< see read_conditions; what a ranking takes
    bool quiet = false;                           ///< print neither progress nor tables
    std::optional<std::size_t> array_task = {};   ///< compute only what this task of a job array is to
};

/// The state of a sweep at its end.
struct SweepEnd {
    std::size_t points = 0, done = 0, failed = 0;   ///< of the plan, with earlier results
    std::size_t computed = 0;                       ///< now
    int signal = 0;                                 ///< that interrupted it; 0 if none did
    std::string folder;
    std::string baseline;                     ///< the first method of the plan
    std::vector<BestPoint> best;              ///< see best_points
    std::vector<Objective> objectives = {};   ///< that were asked for
    std::vector<RankedPoint> ranked = {};     ///< by these; see best_by
    std::vector<std::string> settings = {};   ///< of each ranked point, as BestPoint has them
    std::vector<Condition> conditions = {};   ///< that the points of either meet
    std::vector<std::string> left_out = {};   ///< methods that a Pareto front leaves out
    std::optional<double> least_error = {};   ///< of eligible methods that compress; see least_error
};

/// Computes the points of the sweep that have no result yet, in order of their positions, and writes
/// FOLDER/points.sqlite after each, and points.csv and methods.csv at the end. A point that fails is a result. Nothing
/// is written if the sweep file or a point's configuration is wrong. Throws InputError: those, the folder cannot be
/// written or is in use.
SweepEnd run_sweep(const SweepOptions& options, std::FILE* progress);

/// Computes the points of one task of a job array, which run_sweep has submitted. Throws as run_array_task
/// (array_task.hpp).
void run_task_of_array(const SweepOptions& options, std::size_t task);

/// The points of the sweep, a line each: position, status (`pending` without a result in the folder) and settings; then
/// their number. Checks all of them as run_sweep does; computes and writes nothing.
std::string list_points(const SweepOptions& options);

}   // namespace oscar
