#include "sim/generator/correlation.hpp"

#include <cmath>
#include <numbers>

#include "sim/generator/arithmetic.hpp"

namespace oscar {
namespace {

/// The point at which an ascending function of [0, 1] reaches `target`, by bisection; else the nearer end, where
/// Boost.Math's throws.
template <class F>
double reach(double target, F&& f) {
    double low = 0, high = 1;
    for (int i = 0; i < 40; ++i) {
        const double middle = (low + high) / 2;
        (f(middle) < target ? low : high) = middle;
    }
    return low;
}

/// P(a < t, b < t) as the mean over the variable that both share, at 200 points of equal probability, which
/// Boost.Math's quadratures do not have.
double both_below(double t, double correlation) {
    constexpr int points = 200;
    double sum = 0;
    for (int i = 0; i < points; ++i) {
        const double shared = normal_quantile((i + 0.5) / points);
        const double rest = (t - std::sqrt(correlation) * shared) / std::sqrt(1 - correlation);
        const double below = std::erfc(-rest / std::sqrt(2.0)) / 2;
        sum += below * below;
    }
    return sum / points;
}

}   // namespace

double magnitude_product(double rho) { return std::sqrt(1 - rho * rho) + rho * std::asin(rho); }

double signal_correlation(double ratio) {
    if (ratio <= 0) return 0;
    return reach(ratio, [](double rho) { return rho * std::numbers::pi / 2 / magnitude_product(rho); });
}

double threshold_correlation(double share, double both) {
    const double t = normal_quantile(share);
    return reach(both, [t](double correlation) { return both_below(t, correlation * 0.9999); });
}

}   // namespace oscar
