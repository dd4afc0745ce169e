// Lists of ranks as text: numbers and ranges ("0-3").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/core/index.hpp"

namespace oscar {

struct RankRange {
    std::uint32_t first = 0, last = 0;
};

/// "5" or "4-7"; nothing if it is neither.
std::optional<RankRange> range_of(std::string_view text);

/// The ranks that texts such as "5" and "4-7" name, in the order of writing. Precondition: each text is a rank or a
/// range.
std::vector<Rank> ranks_in(const std::vector<std::string>& texts);

}   // namespace oscar
