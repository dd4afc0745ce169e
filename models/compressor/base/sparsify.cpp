#include "models/compressor/base/sparsify.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "models/compressor/base/magnitude.hpp"

namespace oscar {
namespace {

double zeros_below(std::span<const float> values, float threshold) {
    const auto zeros = std::ranges::count_if(values, [&](float v) { return v == 0 || std::fabs(v) < threshold; });
    return static_cast<double>(zeros) / static_cast<double>(values.size());
}

float table_threshold(std::span<const float> values, double zeros) {
    const auto first =
        std::ranges::lower_bound(sparsify_steps, zeros, {}, [&](float step) { return zeros_below(values, step); });
    if (first == sparsify_steps.begin()) return 0;
    return *std::prev(first);
}

// The next float above the magnitude that the wanted number of values do not exceed.
float quantile_threshold(std::span<const float> values, double zeros) {
    const auto dropped = static_cast<std::size_t>(std::ceil(zeros * static_cast<double>(values.size())));
    if (dropped == 0) return 0;
    const float last = std::bit_cast<float>(kth_magnitude(values, values.size() - dropped + 1).bits);
    return std::nextafter(last, std::numeric_limits<float>::infinity());
}

}   // namespace

float sparsify_threshold(std::span<const float> values, double zeros, Sparsify how) {
    if (values.empty()) return 0;
    return how == Sparsify::table_as_published ? table_threshold(values, zeros) : quantile_threshold(values, zeros);
}

std::uint64_t sparsify(std::span<float> values, float threshold) {
    std::uint64_t kept = 0;
    for (float& v : values) {
        if (std::fabs(v) < threshold) v = 0;
        kept += v != 0;
    }
    return kept;
}

}   // namespace oscar
