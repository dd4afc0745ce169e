// Correlations of hidden normal variables, estimated from observed magnitudes.
#pragma once

namespace oscar {

/// E[|a| |b|] / (E|a| E|b|) of standard normal variables a, b of correlation rho, 0 <= rho <= 1: from 1 to pi/2.
double magnitude_product(double rho);

/// The rho in [0, 1] at which E[a b] / E[|a| |b|] is `ratio`; 0 for ratios that are not positive.
double signal_correlation(double ratio);

/// The correlation in [0, 1] of two standard normal variables, each below its quantile of `share`, that are so together
/// with probability `both`. Precondition: 0 < share < 1.
double threshold_correlation(double share, double both);

}   // namespace oscar
