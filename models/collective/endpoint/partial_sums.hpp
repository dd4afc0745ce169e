// Prediction of the sums of fewer ranks from those of all ranks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/codec/interface/codec.hpp"

namespace oscar {

/// `sums` of `all` ranks, scaled to sums of `ranks` ranks as `scaling` says, rounded half away from zero. In integers:
/// the factor is in 1/65536, rounded down. 1 <= ranks <= all.
std::vector<Symbol> partial_sums(std::span<const Symbol> sums, std::uint32_t ranks, std::uint32_t all, Scaling scaling);

}   // namespace oscar
