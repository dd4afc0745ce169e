#include "sim/sweep/slurm_sweep.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <fstream>
#include <iterator>
#include <map>

#include "sim/config/error.hpp"
#include "sim/config/regular_file.hpp"
#include "sim/sweep/point_run.hpp"

namespace oscar {
namespace {

constexpr timespec between_looks{1, 0};
constexpr int looks_between_questions = 5;   // Slurm is asked less often than the folder

PointResult result_in(const std::filesystem::path& file) try {
    const RegularFile open(file);
    std::ifstream in(file, std::ios::binary);
    return point_result_in({std::istreambuf_iterator<char>(in), {}});
} catch (const CannotOpen& error) {
    throw InputError(fmt::format("{}: {}; remove it", file.string(), error.what()));
} catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", file.string(), error.what()));
}

/// Points whose results are still to come, and the folder into which they come.
class Awaited {
public:
    Awaited(const SweepPlan& plan, const ArrayFiles& files, const std::vector<std::size_t>& pending) : files_(files) {
        for (const std::size_t position : pending) position_[plan.points[position].key] = position;
    }
    bool empty() const { return position_.empty(); }
    std::vector<std::size_t> positions() const {
        std::vector<std::size_t> result;
        for (const auto& [key, position] : position_) result.push_back(position);
        std::ranges::sort(result);
        return result;
    }
    /// Tells `ended` of the results that are there, and removes their files. Returns how many there were.
    std::size_t collect(const std::function<void(std::size_t, const PointResult&)>& ended) {
        std::size_t found = 0;
        std::error_code none;
        for (const auto& entry : std::filesystem::directory_iterator(files_.results(), none)) {
            const auto awaited = position_.find(entry.path().stem().string());
            if (entry.path().extension() != ".json" || awaited == position_.end()) continue;
            ended(awaited->second, result_in(entry.path()));
            position_.erase(awaited);
            std::filesystem::remove(entry.path(), none);
            ++found;
        }
        return found;
    }

private:
    const ArrayFiles& files_;
    std::map<std::string, std::size_t> position_;   ///< by key
};

/// Collects until all is there, the array has ended, or a signal has come. Returns how many results came.
std::size_t collect_from(const SlurmJob& job, Awaited& awaited,
                         const std::function<void(std::size_t, const PointResult&)>& ended,
                         const Interrupt& interrupt) {
    std::size_t found = 0;
    for (int look = 1; !awaited.empty() && interrupt.signal() == 0; ++look) {
        const bool over = look % looks_between_questions == 0 && !job.under_way();
        found += awaited.collect(ended);   // after the question: what has ended has left its files
        if (over) break;
        ::ppoll(nullptr, 0, &between_looks, &interrupt.mask_of_waiting());
    }
    return found;
}

}   // namespace

void compute_on_slurm(const SweepPlan& plan, const std::filesystem::path& sweep_file,
                      const std::filesystem::path& folder, const SlurmArray& array, std::vector<std::size_t> pending,
                      const std::function<void(std::size_t, const PointResult&)>& ended, const Interrupt& interrupt) {
    const ArrayFiles files(folder);
    Awaited awaited(plan, files, pending);
    awaited.collect(ended);
    while (!awaited.empty() && interrupt.signal() == 0) {
        pending = awaited.positions();
        SlurmArray next = array;
        next.tasks = write_manifest(files, plan, pending);
        const SlurmJob job(next, files, sweep_file);
        const std::size_t found = collect_from(job, awaited, ended, interrupt);
        if (interrupt.signal() != 0) return job.cancel();
        if (found == 0)
            throw InputError(fmt::format("--executor slurm: job {} ended without a result; see {}", job.number(),
                                         (files.of_array / (job.number() + "_0.out")).string()));
    }
}

}   // namespace oscar
