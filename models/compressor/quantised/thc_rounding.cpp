#include "models/compressor/quantised/thc_rounding.hpp"

#include <algorithm>
#include <array>

#include "models/compressor/base/stochastic_rounding.hpp"
#include "models/core/wide_loops.hpp"

namespace oscar {
namespace {

constexpr std::int32_t field_bits = 10, field_mask = (1 << field_bits) - 1;

/// One block of draws. The look-up, which does not vectorise, has a loop of its own.
OSCAR_INLINE inline void round_run(const float* values, const float* uniform, std::size_t count, float shift,
                                   float factor, const std::int32_t* cells, std::int32_t granularity,
                                   std::uint8_t* levels) {
    const auto top = static_cast<float>(granularity);
    const float middle = top / 2;
    const std::int32_t last = granularity - 1;
    std::array<float, draw_block> within;
    std::array<std::int32_t, draw_block> cell;
    for (std::size_t i = 0; i < count; ++i) {
        const float place = values[i] * shift * factor * middle + middle;
        const float above = place > 0 ? place : 0.0f;
        within[i] = above < top ? above : top;
        const auto integer = static_cast<std::int32_t>(within[i]);
        cell[i] = integer < last ? integer : last;
    }
    for (std::size_t i = 0; i < count; ++i) cell[i] = cells[cell[i]];
    for (std::size_t i = 0; i < count; ++i) {
        const auto from = static_cast<float>(cell[i] & field_mask);
        const auto gap = static_cast<float>(cell[i] >> field_bits & field_mask);
        const std::int32_t up = uniform[i] * gap < within[i] - from ? 1 : 0;
        levels[i] = static_cast<std::uint8_t>((cell[i] >> 2 * field_bits) + up);
    }
}

}   // namespace

ThcRounding::ThcRounding(const ThcTable& table) : granularity_(table.granularity) {
    for (std::size_t level = 0; level + 1 < table.values.size(); ++level) {
        const std::uint32_t from = table.values[level], to = table.values[level + 1];
        const std::uint32_t cell = (static_cast<std::uint32_t>(level) << field_bits | (to - from)) << field_bits | from;
        cells_.insert(cells_.end(), to - from, static_cast<std::int32_t>(cell));
    }
}

void ThcRounding::operator()(std::span<const float> values, float shift, float factor, std::uint64_t key,
                             std::span<std::uint8_t> levels) const {
    in_wide_loops([&]() OSCAR_INLINE {
        UniformBlock uniform;
        for (std::size_t begin = 0; begin < values.size(); begin += draw_block) {
            draw_uniform(key, begin / draw_block, uniform);
            round_run(values.data() + begin, uniform.data(), std::min(draw_block, values.size() - begin), shift, factor,
                      cells_.data(), static_cast<std::int32_t>(granularity_), levels.data() + begin);
        }
    });
}

}   // namespace oscar
