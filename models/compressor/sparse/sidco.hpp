// SIDCo: a threshold from the exponential distribution that fits the magnitudes.
#pragma once

#include <tuple>

#include "models/compressor/base/selection.hpp"
#include "models/core/fields.hpp"

namespace oscar {

/// Magnitudes above a quantile of the fitted exponential: of one stage, |v| > -mean ln(1/factor); of more, the first
/// keeps 3/4 and each further one fits what exceeds the last threshold, |v| > min - (mean - min) ln(ratio of stage).
/// Exact in expectation for Laplace gradients. Source: Abdelmoniem et al., MLSys 2021; the double-exponential form of
/// the GraVAC repository, whose division by the norm cancels out.
struct SidcoSelect {
    std::uint32_t stages = 1;
    static constexpr auto fields() {
        return std::tuple{field("stages", &SidcoSelect::stages,
                                "fits; 0: as many as ratios of 1/4 after the first, of 3/4, make the whole", 0u, 16u)};
    }
};
Positions select(const SidcoSelect& params, const Draw& draw, ComputeCost& operations);
constexpr bool sizes_are_known(const SidcoSelect&) { return false; }

}   // namespace oscar
