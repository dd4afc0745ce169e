#include "models/quantise/error_feedback.hpp"

#include <algorithm>
#include <functional>

namespace oscar {

std::vector<float> ErrorFeedback::corrected(std::span<const float> gradient) const {
    std::vector<float> result(gradient.begin(), gradient.end());
    if (!residual_.empty()) std::ranges::transform(result, residual_, result.begin(), std::plus{});
    return result;
}

void ErrorFeedback::keep(std::span<const float> corrected, std::span<const float> sent) {
    residual_.resize(corrected.size());
    std::ranges::transform(corrected, sent, residual_.begin(), std::minus{});
}

}   // namespace oscar
