#include "models/compressor/base/stochastic_rounding.hpp"

#include <algorithm>
#include <cmath>

#include "models/core/wide_loops.hpp"

namespace oscar {
namespace {

/// One bucket's part of one block of draws.
template <class Code>
OSCAR_INLINE inline void round_run(const float* values, const float* uniform, std::size_t count, LevelScale scale,
                                   float levels, float limit, Code* codes) {
    for (std::size_t i = 0; i < count; ++i) {
        const float size = std::fabs(values[i]);
        const float clipped = size < limit ? size : limit;
        const float scaled = clipped * scale.shift * scale.factor;
        const float exact = scaled < levels ? scaled : levels;
        const auto below = static_cast<std::int32_t>(exact);
        const std::int32_t level = below + (uniform[i] < exact - static_cast<float>(below) ? 1 : 0);
        codes[i] = static_cast<Code>(values[i] < 0 ? -level : level);
    }
}

template <class Code>
OSCAR_INLINE inline void round_tensor(std::span<const float> values, const RoundingPlan& plan, std::uint64_t key,
                                      Code* codes) {
    UniformBlock uniform;
    for (std::size_t begin = 0; begin < values.size(); begin += draw_block) {
        draw_uniform(key, begin / draw_block, uniform);
        const std::size_t end = std::min(begin + draw_block, values.size());
        for (std::size_t i = begin; i < end;) {
            const std::size_t bucket = i / plan.bucket;
            const std::size_t stop = std::min<std::size_t>(end, (bucket + 1) * plan.bucket);
            round_run(values.data() + i, uniform.data() + (i - begin), stop - i, plan.scales[bucket], plan.levels,
                      plan.limit, codes + i);
            i = stop;
        }
    }
}

}   // namespace

LevelScale level_scale(float levels, float norm) {
    if (!(norm > 0)) return {};
    const float shift = norm < 0x1p-60f ? 0x1p64f : norm > 0x1p60f ? 0x1p-64f : 1.0f;
    return {shift, levels / (norm * shift)};
}

void round_stochastically(std::span<const float> values, const RoundingPlan& plan, std::uint64_t key,
                          std::span<std::int8_t> codes) {
    in_wide_loops([&]() OSCAR_INLINE { round_tensor(values, plan, key, codes.data()); });
}

void round_stochastically(std::span<const float> values, const RoundingPlan& plan, std::uint64_t key,
                          std::span<std::int16_t> codes) {
    in_wide_loops([&]() OSCAR_INLINE { round_tensor(values, plan, key, codes.data()); });
}

}   // namespace oscar
