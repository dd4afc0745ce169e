// Estimate of the memory that a run needs, before it begins.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "models/network/topology/routes.hpp"
#include "sim/checks/subjects.hpp"

namespace oscar {

/// A part of the memory that a run holds at once, and the key of the configuration that decides it. It is an estimate,
/// to tell a run that fits from one that needs several times the memory of the host.
struct MemoryNeed {
    std::string key;      ///< of Parameters, like network.background
    std::string what;     ///< it is for, like "33,538,050 steps"
    std::string remedy;   ///< how to write it for less
    double bytes = 0;
};

/// Memory of the steps of the schedules, all of which are known before the first begins, and of the packets that are
/// under way at once. Counts the steps without making the schedules. `island`: ranks on an island of the topology.
MemoryNeed memory_of_steps(const Parameters& parameters, std::uint32_t switches, std::uint32_t island = 1);
/// Memory of the gradients, codes and sums of all ranks and methods; 0 with payload synthetic. `elements`: values of a
/// rank in the largest bucket.
MemoryNeed memory_of_values(const Parameters& parameters, std::uint64_t elements);
/// The number of methods that run at once: the states of their ranks fit in 1 GiB together, and there is at least one.
/// The other methods follow them.
std::size_t concurrent_methods(const Parameters& parameters, std::uint64_t elements);
/// Memory of the messages of background traffic: all that come while the collective runs, and of them the ones that
/// wait or travel. How long it runs is estimated from its timesteps, its size and the buffers that the traffic fills.
/// Precondition: every message has a path.
MemoryNeed memory_of_background(const Parameters& parameters, const Routes& routes);

/// A lack of memory: one sentence that names the largest need and its remedy, and the key of that need.
struct MemoryProblem {
    std::string key, text;
};
/// Nothing if the needs together fit into `available` bytes.
std::optional<MemoryProblem> find_memory_problem(const std::vector<MemoryNeed>& needs, double available);

/// ConfigError: more memory than there is, without background traffic.
void check_memory(const CabledExperiment& cabled);
/// ConfigError: more memory than there is, with background traffic. Precondition: as memory_of_background.
void check_memory_of_background(const CabledExperiment& cabled);

/// Bytes that this process may still use: what the host has left or, if that is less, what the limits of its control
/// group or of its address space leave. `root`: of the file systems /proc and /sys.
double available_memory(const std::filesystem::path& root = "/");

}   // namespace oscar
