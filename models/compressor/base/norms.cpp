#include "models/compressor/base/norms.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "models/core/wide_loops.hpp"

namespace oscar {

double l2_norm(std::span<const float> values) {
    double sum = 0;
    const float* const v = values.data();
    in_wide_loops([&]() OSCAR_INLINE {
        sum = sum_in_lanes(values.size(), [v](std::size_t i) OSCAR_INLINE {
            const double x = static_cast<double>(v[i]);
            return x * x;
        });
    });
    return std::sqrt(sum);
}

float max_magnitude(std::span<const float> values) {
    // Magnitudes of finite values are ordered as their bits, whose maximum is the same in any order.
    std::int32_t largest = 0;
    in_wide_loops([&]() OSCAR_INLINE {
        std::int32_t found = 0;
        for (const float v : values) found = std::max(found, std::bit_cast<std::int32_t>(v) & 0x7fffffff);
        largest = found;
    });
    return std::bit_cast<float>(largest);
}

double magnitude_sum(std::span<const float> values) {
    double sum = 0;
    const float* const v = values.data();
    in_wide_loops([&]() OSCAR_INLINE {
        sum = sum_in_lanes(values.size(),
                           [v](std::size_t i) OSCAR_INLINE { return static_cast<double>(std::fabs(v[i])); });
    });
    return sum;
}

double standard_deviation(std::span<const float> values) {
    if (values.empty()) return 0;
    // Distances from one of the values: exactly 0 for equal ones, and at most sqrt(n) deviations from the mean, so that
    // the difference of squares below keeps its digits.
    const auto origin = static_cast<double>(values[0]);
    double sum = 0, squares = 0;
    in_wide_loops([&]() OSCAR_INLINE {
        constexpr std::size_t cached = 4096;
        for (std::size_t begin = 0; begin < values.size(); begin += cached) {
            const float* const v = values.data() + begin;
            const std::size_t count = std::min(cached, values.size() - begin);
            sum += sum_in_lanes(count,
                                [v, origin](std::size_t i) OSCAR_INLINE { return static_cast<double>(v[i]) - origin; });
            squares += sum_in_lanes(count, [v, origin](std::size_t i) OSCAR_INLINE {
                const double distance = static_cast<double>(v[i]) - origin;
                return distance * distance;
            });
        }
    });
    const auto count = static_cast<double>(values.size());
    return std::sqrt(std::max(0.0, (squares - sum * sum / count) / count));
}

}   // namespace oscar
