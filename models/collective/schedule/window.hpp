// Windows: how many slices a connection has under way.
#pragma once

#include <cstdint>

#include "models/collective/schedule/schedule.hpp"

namespace oscar {

/// `schedule`, whose `slices` slices begin together, so that of each chunk of a slice at most `window` slices are under
/// way from one rank to another at a time: the message of slice s waits for that of slice s - window, too, to have
/// arrived. Messages and timesteps stay. The way back of the news takes no time. Precondition: the slices divide the
/// chunks; a slice's steps are in later timesteps than those of the slices before.
/// Source: a connection of NCCL has a buffer of NCCL_STEPS slots (src/include/device.h).
Schedule windowed(Schedule schedule, std::uint32_t slices, std::uint32_t window);

}   // namespace oscar
