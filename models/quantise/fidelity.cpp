#include "models/quantise/fidelity.hpp"

#include <cmath>

namespace oscar {

Deviation& Deviation::operator+=(const Deviation& other) {
    error += other.error;
    exact_norm += other.exact_norm;
    reduced_norm += other.reduced_norm;
    product += other.product;
    return *this;
}

Fidelity fidelity(const Deviation& d) {
    if (d.exact_norm == 0 && d.reduced_norm == 0) return {};
    const double norms = std::sqrt(d.exact_norm) * std::sqrt(d.reduced_norm);
    return {d.exact_norm > 0 ? std::sqrt(d.error / d.exact_norm) : INFINITY, norms > 0 ? d.product / norms : 0, d};
}

Fidelity fidelity(std::span<const float> reduced, std::span<const std::span<const float>> gradients) {
    Deviation deviation;
    for (std::size_t i = 0; i < reduced.size(); ++i) {
        double sum = 0;
        for (const auto& gradient : gradients) sum += static_cast<double>(gradient[i]);
        const double value = static_cast<double>(reduced[i]);
        deviation.error += (value - sum) * (value - sum);
        deviation.exact_norm += sum * sum;
        deviation.reduced_norm += value * value;
        deviation.product += value * sum;
    }
    return fidelity(deviation);
}

}   // namespace oscar
