// Checks of `collective`: channels, and the slots of switches that add.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/partition/chunks.hpp"
#include "sim/checks/cabled_experiment.hpp"

namespace oscar {

/// The error and its remedy if the collective has several channels and more `chunks` than `values` values make blocks
/// of `kind`; else nothing.
std::optional<std::string> find_channel_problem(const Collective& collective, std::uint32_t chunks,
                                                std::uint64_t values, const ChunkKind& kind);

/// ConfigError: channels that make more chunks than the gradient has values. Checks payload synthetic without jobs
/// only; with a trace find_method_problem checks each bucket.
void check_channels(const CabledExperiment& cabled);

/// ConfigError: in lock-step, a switch with fewer slots than chunks.
void check_aggregator_slots(const CabledExperiment& cabled);

}   // namespace oscar
