// Rounding to the levels of THC's table.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/compressor/quantised/thc_table.hpp"

namespace oscar {

/// Rounds values of [-1, 1], beyond which they are clamped, to levels of the table whose integers spread over that
/// range.
class ThcRounding {
public:
    explicit ThcRounding(const ThcTable& table);
    /// levels[i] of values[i] * shift * factor, drawn from the stream `key`.
    void operator()(std::span<const float> values, float shift, float factor, std::uint64_t key,
                    std::span<std::uint8_t> levels) const;

private:
    std::uint32_t granularity_;
    std::vector<std::int32_t> cells_;   ///< of each integer but the last: level below it, gap and integer, packed
};

}   // namespace oscar
