// A job array of Slurm.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "sim/sweep/array_task.hpp"

namespace oscar {

/// InputError, which says what to install: Slurm's commands are not there.
void require_slurm();

struct SlurmArray {
    std::string name;            ///< of the job
    std::size_t tasks = 0;       ///< numbered from 0
    std::size_t at_a_time = 0;   ///< tasks that may run at a time; 0: as many as Slurm starts
    std::uint32_t threads = 1;   ///< cores of each
};

/// One submitted array. Its tasks are started again by Slurm where a node fails. Partition, time limit and account are
/// those of Slurm's own variables: SBATCH_PARTITION, SBATCH_TIMELIMIT, SBATCH_ACCOUNT.
class SlurmJob {
public:
    /// Writes the script of the tasks, each of which is this program on `sweep_file`, and submits it. InputError: Slurm
    /// refuses it.
    SlurmJob(const SlurmArray& array, const ArrayFiles& files, const std::filesystem::path& sweep_file);

    const std::string& number() const { return number_; }
    /// True while a task waits or runs, and while Slurm does not answer.
    bool under_way() const;
    /// Has Slurm end all of its tasks.
    void cancel() const;

private:
    std::string number_;
};

}   // namespace oscar
