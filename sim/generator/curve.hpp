// A monotone piecewise-linear curve: how the model's magnitudes become those of a capture.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "sim/generator/model.hpp"

namespace oscar {

/// The value of the piecewise-linear curve through (from[i], to[i]) at x; beyond its ends the last value.
/// Preconditions: equally long, not empty, `from` ascends.
double interpolate(const std::vector<double>& from, const std::vector<double>& to, double x);

/// log2 of a shared strength: the quantile at `share` in (0, 1).
double strength(double sigma, const std::vector<double>& quantiles, double share);

/// The u of LayerParams, from 2^16 draws that depend on the parameters alone.
struct DrawnMagnitudes {
    std::vector<double> quantiles;   ///< at magnitude_shares
    double log2_mean = 0;            ///< log2 of the mean of 2^u
};
/// Draws from the same random numbers for every seed: the result is a function of `params`.
DrawnMagnitudes drawn_magnitudes(const LayerParams& params);

/// The curve from u to log2(|value| / scale): quantile of u -> quantile of `magnitudes`, on equal steps for speed;
/// beyond its ends the last value. Without `magnitudes` it shifts u so that the mean magnitude is 1.
class MagnitudeCurve {
public:
    explicit MagnitudeCurve(const LayerParams& params);

    float operator()(float u) const {
        if (values_.empty()) return u + shift_;
        const float at = std::min(std::max((u - start_) * inverse_step_, 0.0F), float{cells});
        const auto cell = static_cast<std::size_t>(at);
        return values_[cell] + (at - static_cast<float>(cell)) * (values_[cell + 1] - values_[cell]);
    }
    /// The u that gives log2(|value| / scale).
    double inverse(double magnitude) const;

private:
    static constexpr int cells = 512;
    float shift_ = 0, start_ = 0, inverse_step_ = 1;
    std::vector<float> values_;   // at start_ + i / inverse_step_, and the last once more
    std::vector<double> from_, to_;
};

}   // namespace oscar
