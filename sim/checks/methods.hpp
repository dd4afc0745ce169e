// Checks of `methods` and `collective`: channels, and the slots of switches that add.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "models/network/topology/topology.hpp"
#include "models/partition/chunks.hpp"
#include "sim/checks/subjects.hpp"

namespace oscar {

/// ConfigError: no method, two of one name, or a name that steers a terminal, is a formula or has more than 100 bytes.
void check_methods(const Experiment& experiment);

/// ConfigError: without a trace, a method whose messages have sizes that depend on values.
void check_constant_rates(const Experiment& experiment);

/// Why `method` cannot carry a bucket that `tensors` tile: it codes by values that not all ranks know, or its channels
/// have more chunks than blocks. Nothing if it can.
std::optional<std::string> find_method_problem(const Parameters& parameters, const Method& method,
                                               const Topology& topology, std::span<const Segment> tensors);

/// ConfigError: a method that cannot carry one of the buckets.
void check_methods_on_buckets(const CapturedExperiment& captured);

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
