#include "models/compress/fidelity.hpp"

#include <cmath>

namespace oscar {

Fidelity fidelity(std::span<const float> reduced, std::span<const std::span<const float>> gradients) {
    double error = 0, exact_norm = 0, reduced_norm = 0, product = 0;
    for (std::size_t i = 0; i < reduced.size(); ++i) {
        double sum = 0;
        for (const auto& gradient : gradients) sum += static_cast<double>(gradient[i]);
        const double value = static_cast<double>(reduced[i]);
        error += (value - sum) * (value - sum);
        exact_norm += sum * sum;
        reduced_norm += value * value;
        product += value * sum;
    }
    if (exact_norm == 0 && reduced_norm == 0) return {};
    const double norms = std::sqrt(exact_norm) * std::sqrt(reduced_norm);
    return {exact_norm > 0 ? std::sqrt(error / exact_norm) : INFINITY, norms > 0 ? product / norms : 0};
}

}   // namespace oscar
