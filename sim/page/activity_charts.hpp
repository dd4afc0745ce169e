// Charts of what happened over the time of a run's first AllReduces: links, messages under way, timesteps, chunks.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

namespace oscar {

/// How busy the busiest links of each method are, as a heat map over the time of its AllReduce; none without links.
std::optional<nlohmann::ordered_json> chart_of_links_over_time(const nlohmann::ordered_json& methods);

/// Messages that a rank has begun to send and that are not on the wire yet, over time, a line for each method.
std::optional<nlohmann::ordered_json> chart_of_queues(const nlohmann::ordered_json& methods);

/// Bits that a value takes in each timestep, a line for each method; none with fewer than two timesteps.
std::optional<nlohmann::ordered_json> chart_of_bits(const nlohmann::ordered_json& methods);

/// Encoded sizes of chunks relative to their mean, a box for each method; none where all chunks are equal.
std::optional<nlohmann::ordered_json> chart_of_chunks(const nlohmann::ordered_json& methods);

}   // namespace oscar
