// What the channels of an experiment's collectives must fit.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "models/partition/chunks.hpp"
#include "models/network/topology/topology.hpp"
#include "sim/experiment/parameters.hpp"

namespace oscar {

/// Whether each of the collective's `chunks` can have a block of those that `kind` deals; the reason why not. Of one
/// channel nothing is asked.
std::optional<std::string> find_channel_problem(const Collective& collective, std::uint32_t chunks, std::uint64_t values,
                                            const ChunkKind& kind);

/// The same of a gradient that is known by its size alone. Throws ConfigError.
void check_channels(const Experiment& experiment, const Topology& topology);

/// Of a collective as reports echo it: one channel goes without saying, and has no order. It may be null.
void leave_out_one_channel(nlohmann::ordered_json& collective);

}   // namespace oscar
