// Tasks of a job array: each computes some points of a sweep, wherever it runs, and leaves their results as files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "sim/sweep/plan.hpp"

namespace oscar {

/// Most tasks of an array: what Slurm allows by default (MaxArraySize 1001).
inline constexpr std::size_t most_array_tasks = 1000;

/// The files of a job array in the folder of its sweep.
struct ArrayFiles {
    explicit ArrayFiles(const std::filesystem::path& folder) : of_array(folder / "slurm") {}
    std::filesystem::path manifest() const { return of_array / "manifest.json"; }
    std::filesystem::path script() const { return of_array / "task.sh"; }
    std::filesystem::path results() const { return of_array / "results"; }
    std::filesystem::path result(const std::string& key) const { return results() / (key + ".json"); }
    std::filesystem::path of_array;
};

/// Writes the manifest of the points at these positions: program, tasks, and of each point its key and settings.
/// Returns the number of tasks, among which points are dealt in turn.
std::size_t write_manifest(const ArrayFiles& files, const SweepPlan& plan, std::span<const std::size_t> positions);

/// Computes the points of one task, one after the other, each in a process of its own, and writes a file of each, by
/// rename; what is there already is left. InputError: no manifest, one of another version of the program or of other
/// axes, or no such task.
void run_array_task(const std::filesystem::path& sweep_file, const ArrayFiles& files, std::size_t task,
                    std::uint32_t threads);

}   // namespace oscar
