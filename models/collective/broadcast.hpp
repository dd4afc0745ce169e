// A broadcast from rank 0, for what one rank decides for all.
#pragma once

#include "models/collective/schedule.hpp"

namespace oscar {

/// Binomial tree: one chunk; in timestep k, ranks below 2^k send it to the rank 2^k further on. ranks-1 steps in
/// ceil(log2 ranks) timesteps. Source: Thakur, Rabenseifner & Gropp, IJHPCA 2005, section 4.
Schedule make_tree_broadcast(std::uint32_t ranks);

}   // namespace oscar
