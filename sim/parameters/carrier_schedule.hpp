// The schedules by which exchanges of lossy methods travel, beside the collective of the experiment.
#pragma once

#include <cstdint>

#include "models/collective/schedule/schedule.hpp"
#include "models/compressor/base/compressor.hpp"
#include "models/network/topology/topology.hpp"

namespace oscar {

/// The messages among the topology's ranks of an exchange that `carrier` carries, from or to `root` where there is one;
/// of an AllReduce a ring. On several islands reduce-scatter and all-gather go by islands, and all-to-all node by node.
Schedule carrier_schedule(CollectiveKind carrier, const Topology& topology, std::uint32_t root);

}   // namespace oscar
