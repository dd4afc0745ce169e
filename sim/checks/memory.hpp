// Estimate of the memory that a run needs, before it begins.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "models/network/topology/routes.hpp"
#include "sim/checks/cabled_experiment.hpp"

namespace oscar::inline checks {

/// What a run holds at once, and where in the configuration that is decided. An estimate: it is to tell a run that
/// fits from one that needs several times the memory of the host.
struct MemoryNeed {
    std::string key;      ///< of Parameters, like network.background
    std::string what;     ///< it is for, like "33,538,050 steps"
    std::string remedy;   ///< how to write it for less
    double bytes = 0;
};

/// Steps of the schedules, all of which are known before the first begins, and the packets of those that are under way
/// at once. Does not make the schedules.
MemoryNeed memory_of_steps(const Parameters& parameters, std::uint32_t switches);
/// Gradients, codes and sums of all ranks and methods; `elements`: values of a rank in the largest bucket. None with
/// payload synthetic.
MemoryNeed memory_of_values(const Parameters& parameters, std::uint64_t elements);
/// As many methods as have the states of their ranks in 1 GiB together, at least one; the others follow them.
std::size_t methods_at_once(const Parameters& parameters, std::uint64_t elements);
/// Messages of background traffic: those that come while the collective runs, and of them those that wait or are on
/// their way. How long it runs is estimated from its timesteps, its size and the buffers that the traffic fills.
/// Precondition: every message has a path.
MemoryNeed memory_of_background(const Parameters& parameters, const Routes& routes);

/// One sentence that names the largest need, and its key; nothing if there are `available` bytes.
struct MemoryProblem {
    std::string key, text;
};
std::optional<MemoryProblem> find_memory_problem(const std::vector<MemoryNeed>& needs, double available);

/// ConfigError: more memory than there is, without background traffic.
void check_memory(const CabledExperiment& cabled);
/// ConfigError: more memory than there is, with background traffic. Precondition: as memory_of_background.
void check_memory_of_background(const CabledExperiment& cabled);

/// Bytes that this process may still use: what the host has left or, if that is less, what the limits of its control
/// group or of its address space leave. `root`: of the file systems /proc and /sys.
double available_memory(const std::filesystem::path& root = "/");

}   // namespace oscar::inline checks
