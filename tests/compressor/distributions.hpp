// Gradients of known distributions for the tests of lossy compressors, the same on every host.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "models/compressor/base/compressor.hpp"
#include "models/compressor/base/input.hpp"
#include "models/core/random.hpp"

namespace oscar::testing {

/// Number `i` of a standard normal stream: Box and Muller.
inline double normal_at(std::uint64_t key, std::uint64_t i) {
    const double radius = std::sqrt(-2 * std::log(1 - uniform_at(key, 2 * i)));
    return radius * std::cos(2 * 3.14159265358979323846 * uniform_at(key, 2 * i + 1));
}
/// Of a standard Laplace stream: an exponential with a random sign.
inline double laplace_at(std::uint64_t key, std::uint64_t i) {
    const double magnitude = -std::log(1 - uniform_at(key, 2 * i));
    return uniform_at(key, 2 * i + 1) < 0.5 ? magnitude : -magnitude;
}
/// Of Student's distribution with 3 degrees of freedom: normal over the root of a mean of three squares.
inline double student_at(std::uint64_t key, std::uint64_t i) {
    double squares = 0;
    for (std::uint64_t j = 1; j < 4; ++j) squares += std::pow(normal_at(key, 4 * i + j), 2);
    return normal_at(key, 4 * i) / std::sqrt(squares / 3);
}
/// Of a log-normal stream with random signs: heavy tails, as gradients have.
inline double log_normal_at(std::uint64_t key, std::uint64_t i) {
    const double magnitude = std::exp(2 * normal_at(key, i));
    return uniform_at(key + 1, i) < 0.5 ? magnitude : -magnitude;
}

template <class At>
std::vector<float> drawn(std::size_t elements, std::uint64_t key, At at) {
    std::vector<float> values(elements);
    for (std::size_t i = 0; i < elements; ++i) values[i] = static_cast<float>(at(key, i));
    return values;
}

/// Heavy-tailed gradients of several ranks; another `step`, other numbers.
inline std::vector<std::vector<float>> random_gradients(std::size_t ranks, std::size_t elements, std::uint64_t step) {
    std::vector<std::vector<float>> result;
    for (std::size_t r = 0; r < ranks; ++r) result.push_back(drawn(elements, random_at(step, r), log_normal_at));
    return result;
}

/// One matrix of `elements` elements, in as many rows as have two.
inline std::vector<TensorShape> one_tensor(std::uint64_t elements) { return {{0, elements, elements / 2}}; }

}   // namespace oscar::testing
