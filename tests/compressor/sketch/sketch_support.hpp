// Gradients for the tests of sketching compressors.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "models/compressor/base/compressor.hpp"
#include "models/core/random.hpp"

namespace oscar::testing {

using Ranks = std::vector<std::vector<float>>;

/// Of the whole gradient as one tensor.
inline CompressionResult step_of(Compressor& compressor, const Ranks& gradients) {
    const std::vector<std::span<const float>> views(gradients.begin(), gradients.end());
    const std::vector<TensorShape> whole{{0, gradients[0].size(), 0}};
    return compressor.step(views, whole);
}

/// Uniform in [-1, 1), zero but for a share of `density` that all ranks agree on.
inline Ranks sparse_gradients(std::uint32_t ranks, std::uint64_t elements, double density, std::uint64_t seed) {
    Ranks gradients(ranks, std::vector<float>(elements));
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
        for (std::uint64_t i = 0; i < elements; ++i)
            if (uniform_at(seed, i) < density)
                gradients[rank][i] = static_cast<float>(2 * uniform_at(random_at(seed, rank), i) - 1);
    return gradients;
}

/// Sums in double precision, divided by the ranks.
inline std::vector<double> exact_mean(const Ranks& gradients) {
    std::vector<double> mean(gradients[0].size());
    for (const auto& gradient : gradients)
        for (std::size_t i = 0; i < mean.size(); ++i)
            mean[i] += static_cast<double>(gradient[i]) / static_cast<double>(gradients.size());
    return mean;
}

inline double largest_error(const std::vector<float>& values, const std::vector<double>& exact) {
    double largest = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        largest = std::max(largest, std::fabs(static_cast<double>(values[i]) - exact[i]));
    return largest;
}

inline double norm(std::span<const float> values) {
    double squares = 0;
    for (const float v : values) squares += static_cast<double>(v) * static_cast<double>(v);
    return std::sqrt(squares);
}

}   // namespace oscar::testing
