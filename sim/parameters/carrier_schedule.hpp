// The schedules by which exchanges of lossy methods travel, beside the collective of the experiment.
#pragma once

#include <cstdint>

#include "models/collective/schedule/schedule.hpp"
#include "models/compressor/base/compressor.hpp"

namespace oscar {

/// The messages of an exchange that `carrier` carries, from or to `root` where there is one; of an AllReduce a ring.
Schedule carrier_schedule(CollectiveKind carrier, std::uint32_t ranks, std::uint32_t root);

}   // namespace oscar
