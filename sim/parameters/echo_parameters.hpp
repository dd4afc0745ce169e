// The configuration of an experiment as its report echoes it.
#pragma once

#include <nlohmann/json.hpp>

#include "sim/parameters/parameters.hpp"

namespace oscar {

/// All parameters, without those that mean nothing beside the others: an AllReduce alone says nothing of a step, one of
/// a trace nothing of a size.
nlohmann::ordered_json resolved(const Parameters& parameters);

/// Leaves the keys of channels out of a collective that has one channel, as reports echo it: one channel has no order.
/// `collective` may be null.
void leave_out_one_channel(nlohmann::ordered_json& collective);
/// Takes the keys from it that have no effect as it is: of islands and groups, where it has none, and where the machine
/// has no islands also the shape of a reduce-scatter, a ring, and the order of an all-to-all.
void leave_out_islands(nlohmann::ordered_json& collective, bool has_islands);

}   // namespace oscar
