// Staggered slices: the reduce-scatter of later ones runs beside the all-gather of earlier ones.
#pragma once

#include <cstdint>

#include "models/collective/schedule/schedule.hpp"

namespace oscar {

/// `schedule`, whose `slices` slices begin together, so that at most `in_flight` of them are in their first half at a
/// time; with 0, or all of them, it is as before. Half of the timesteps reduce, half gather, so partial sums of one
/// slice and final sums of an earlier one are sent side by side, as by a NIC that works on consecutive buckets, and DMA
/// reads and writes at the same time. Slice k moves by k / in_flight halves. A rank's first steps of it wait for all
/// that the rank received in the last timestep of the first half of slice k - in_flight. Tables are still chosen by the
/// original timestep. Preconditions: the slices divide the chunks, and all have the same timesteps.
Schedule staggered(const Schedule& schedule, std::uint32_t slices, std::uint32_t in_flight);

}   // namespace oscar
