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

}   // namespace oscar
