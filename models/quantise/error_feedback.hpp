// Error feedback: what a lossy step left out is added to the next gradient of the same rank.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

namespace oscar {

/// The residual of one rank. Law (telescoping): after any number of iterations, the sum of what was sent plus the
/// residual is the sum of the gradients, but for fp32 rounding. Source: Seide et al., Interspeech 2014, section 3.1;
/// Karimireddy et al., ICML 2019, Algorithm 1.
class ErrorFeedback {
public:
    /// gradient + residual; the gradient itself at first and after a reset.
    std::vector<float> corrected(std::span<const float> gradient) const {
        std::vector<float> result(gradient.begin(), gradient.end());
        if (!residual_.empty()) std::ranges::transform(result, residual_, result.begin(), std::plus{});
        return result;
    }
    /// Keeps the part of `corrected` that was not `sent`; both are in the unit of the gradient and equally long.
    void keep(std::span<const float> corrected, std::span<const float> sent) {
        residual_.resize(corrected.size());
        std::ranges::transform(corrected, sent, residual_.begin(), std::minus{});
    }
    void reset() { residual_.clear(); }   ///< the residual is empty again
    /// Empty at first and after a reset.
    std::span<const float> residual() const { return residual_; }

private:
    std::vector<float> residual_;
};

}   // namespace oscar
