#include "sim/generator/arithmetic.hpp"

#include <cmath>

namespace oscar {
namespace {

/// Below p = 0.02425.
double tail_quantile(double p) {
    const double ln = 0.69314718055994531 * static_cast<double>(log2_of(static_cast<float>(p)));
    const double q = std::sqrt(-2 * ln);   // IEEE: correctly rounded
    const double above = ((((-7.784894002430293e-03 * q - 3.223964580411365e-01) * q - 2.400758277161838e+00) * q -
                           2.549732539343734e+00) *
                              q +
                          4.374664141464968e+00) *
                             q +
                         2.938163982698783e+00;
    const double below = (((7.784695709041462e-03 * q + 3.224671290700398e-01) * q + 2.445134137142996e+00) * q +
                          3.754408661907416e+00) *
                             q +
                         1;
    return above / below;
}

}   // namespace

double normal_quantile(double p) {
    if (p < 0.02425) return tail_quantile(p);
    if (p > 1 - 0.02425) return -tail_quantile(1 - p);
    const double q = p - 0.5, r = q * q;
    const double above = ((((-3.969683028665376e+01 * r + 2.209460984245205e+02) * r - 2.759285104469687e+02) * r +
                           1.383577518672690e+02) *
                              r -
                          3.066479806614716e+01) *
                             r +
                         2.506628277459239e+00;
    const double below = ((((-5.447609879822406e+01 * r + 1.615858368580409e+02) * r - 1.556989798598866e+02) * r +
                           6.680131188771972e+01) *
                              r -
                          1.328068155288572e+01) *
                             r +
                         1;
    return q * above / below;
}

}   // namespace oscar
