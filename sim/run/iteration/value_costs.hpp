// Costs of values: the bits that a codec would spend on them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/collective/endpoint/rank_state.hpp"
#include "sim/run/iteration/method_setting.hpp"

namespace oscar {

/// The table that the codec makes of final sums like these.
Table table_of(const MethodSetting& setting, std::span<const Symbol> symbols);

/// Per element, what `values` would cost under the tables that the rank holds of final sums, by their classes if
/// they are known.
std::vector<std::uint32_t> costs_of(const MethodSetting& setting, const RankState& rank_state,
                                    std::span<const Symbol> values, std::span<const std::uint8_t> classes);

}   // namespace oscar
