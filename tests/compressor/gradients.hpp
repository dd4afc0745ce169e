// Gradients and tensors that the tests of lossy compressors share.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "models/compressor/base/compressor.hpp"
#include "models/core/random.hpp"

namespace oscar::lossy_test {

using Gradient = std::vector<float>;

/// Sums of twelve uniform numbers less 6: nearly normal, of deviation `deviation`.
inline Gradient normal(std::size_t size, std::uint64_t key, double deviation = 1) {
    Gradient values(size);
    for (std::size_t i = 0; i < size; ++i) {
        double sum = -6;
        for (std::size_t j = 0; j < 12; ++j) sum += uniform_at(key, 12 * i + j);
        values[i] = static_cast<float>(deviation * sum);
    }
    return values;
}

inline std::vector<Gradient> normal_of_ranks(std::size_t ranks, std::size_t size, std::uint64_t key) {
    std::vector<Gradient> gradients;
    for (std::size_t r = 0; r < ranks; ++r) gradients.push_back(normal(size, random_at(key, r)));
    return gradients;
}

inline std::vector<TensorShape> one_tensor(std::size_t size, std::uint64_t rows = 0) { return {{0, size, rows}}; }

inline double squared(std::span<const float> values) {
    double sum = 0;
    for (const float v : values) sum += static_cast<double>(v) * static_cast<double>(v);
    return sum;
}

inline double squared_distance(std::span<const float> a, std::span<const float> b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double d = static_cast<double>(a[i]) - static_cast<double>(b[i]);
        sum += d * d;
    }
    return sum;
}

}   // namespace oscar::lossy_test
