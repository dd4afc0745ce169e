// The points of a sweep as job arrays of Slurm, whose results are collected into the one database.
#pragma once

#include <cstdio>
#include <filesystem>
#include <functional>
#include <vector>

#include "sim/sweep/database.hpp"
#include "sim/sweep/plan.hpp"
#include "sim/sweep/processes/interrupt.hpp"
#include "sim/sweep/slurm_job.hpp"

namespace oscar {

/// Has Slurm compute the points at `pending`, and tells `ended` of each in the order in which their files are found,
/// also of those that an earlier run left. Where an array has ended and points have no result, another is submitted,
/// but not after one without any result. Upon a signal the array is cancelled. The number of tasks of `array` does not
/// count. InputError: Slurm refuses an array, or one ended without a result; its output is in FOLDER/slurm.
void compute_on_slurm(const SweepPlan& plan, const std::filesystem::path& sweep_file,
                      const std::filesystem::path& folder, const SlurmArray& array, std::vector<std::size_t> pending,
                      const std::function<void(std::size_t position, const PointResult&)>& ended,
                      const Interrupt& interrupt);

}   // namespace oscar
