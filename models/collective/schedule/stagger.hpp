// Staggered slices: the reduce-scatter of later ones runs beside the all-gather of earlier ones.
#pragma once

#include <cstdint>

#include "models/collective/schedule/schedule.hpp"

namespace oscar::inline collective {

/// `schedule`, whose `slices` slices begin together, so that at most `in_flight` of them are in their first half at a
/// time; 0 or as many as there are: as it is. Half of the timesteps reduce, half gather, so partial sums of one slice
/// and final sums of an earlier one are sent side by side, as by a NIC that works on consecutive buckets, and DMA reads
/// and writes at the same time. Slice k moves by k / in_flight halves. What a rank sends first of it waits for all
/// that it received in the last timestep of the first half of slice k - in_flight. Tables stay those of the timestep
/// that was. Preconditions: the slices divide the chunks, and all have the same timesteps.
Schedule staggered(const Schedule& schedule, std::uint32_t slices, std::uint32_t in_flight);

}   // namespace oscar::inline collective
