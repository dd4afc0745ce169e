#include "sim/sweep/slurm_job.hpp"

#include <fmt/format.h>

#include <boost/algorithm/string/replace.hpp>
#include <boost/algorithm/string/trim.hpp>
#include <system_error>

#include "sim/config/error.hpp"
#include "sim/files/write_file.hpp"
#include "sim/sweep/processes/command.hpp"

namespace oscar {
namespace {

/// For a shell.
std::string quoted(const std::filesystem::path& path) {
    return "'" + boost::replace_all_copy(std::filesystem::absolute(path).string(), "'", "'\\''") + "'";
}

std::string script_of(const SlurmArray& array, const ArrayFiles& files, const std::filesystem::path& sweep_file) {
    return fmt::format("#!/bin/sh\nexec {} sweep {} -o {} --threads {} --array-task \"$SLURM_ARRAY_TASK_ID\"\n",
                       quoted(std::filesystem::read_symlink("/proc/self/exe")), quoted(sweep_file),
                       quoted(files.of_array.parent_path()), array.threads);
}

}   // namespace

void require_slurm() {
    try {
        run_command({"sbatch", "--version"});
    } catch (const std::system_error& error) {
        throw InputError(
            fmt::format("--executor slurm: {}; install slurm-client on this machine, or leave the option "
                        "out to compute here",
                        error.what()));
    }
}

SlurmJob::SlurmJob(const SlurmArray& array, const ArrayFiles& files, const std::filesystem::path& sweep_file) {
    replace_file(files.script(), script_of(array, files, sweep_file), "choose another folder with -o DIR");
    const std::string limit = array.at_a_time > 0 ? fmt::format("%{}", array.at_a_time) : "";
    const CommandEnd end = run_command(
        {"sbatch", "--parsable", "--requeue", "--open-mode=append", "--job-name=" + array.name,
         fmt::format("--array=0-{}{}", array.tasks - 1, limit), fmt::format("--cpus-per-task={}", array.threads),
         "--chdir=" + std::filesystem::current_path().string(),
         "--output=" + std::filesystem::absolute(files.of_array / "%A_%a.out").string(), files.script().string()});
    number_ = boost::trim_copy(end.output.substr(0, end.output.find(';')));   // NUMBER, or NUMBER;CLUSTER
    if (end.status != 0)
        throw InputError(fmt::format("--executor slurm: sbatch refuses the job: {}", boost::trim_copy(end.output)));
}

bool SlurmJob::under_way() const {
    const CommandEnd end = run_command({"squeue", "--noheader", "--jobs=" + number_});
    if (end.status == 0) return !boost::trim_copy(end.output).empty();
    return end.output.find("Invalid job id") == std::string::npos;
}

void SlurmJob::cancel() const { run_command({"scancel", number_}); }

}   // namespace oscar
