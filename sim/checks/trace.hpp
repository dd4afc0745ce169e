// Checks of `trace`, `iterations`, `layers` and `bucket` against the manifest of the trace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "models/partition/chunks.hpp"
#include "sim/parameters/parameters.hpp"
#include "sim/trace/manifest.hpp"

namespace oscar {

/// The folder of the trace. ConfigError: there is none.
std::filesystem::path find_trace(const Experiment& experiment);

/// ConfigError: iterations that the trace does not have.
void check_iterations(const Experiment& experiment, const TraceManifest& manifest);

/// The layers of each AllReduce of an iteration. ConfigError: a pattern without a layer, no such bucket, a bucket of
/// more than 2^31 values.
std::vector<std::vector<std::size_t>> checked_buckets(const Experiment& experiment, const TraceManifest& manifest);

/// Values of a rank in a bucket.
std::uint64_t elements_of(const TraceManifest& manifest, const std::vector<std::size_t>& layers);

}   // namespace oscar
