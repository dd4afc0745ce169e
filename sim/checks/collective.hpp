// Checks of `collective`: channels, and the slots of switches that add.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/partition/chunks.hpp"
#include "sim/checks/cabled_experiment.hpp"

namespace oscar::inline checks {

/// Whether each of the collective's `chunks` can have a block of those that `kind` deals; the reason why not. Of one
/// channel nothing is asked.
std::optional<std::string> find_channel_problem(const Collective& collective, std::uint32_t chunks,
                                                std::uint64_t values, const ChunkKind& kind);

/// The same of a gradient that is known by its size alone. Throws ConfigError.
void check_channels(const CabledExperiment& cabled);

/// ConfigError: in lock-step, a switch with fewer slots than chunks.
void check_aggregator_slots(const CabledExperiment& cabled);

}   // namespace oscar::inline checks
