// SIDCo: a threshold from the exponential distribution that fits the magnitudes.
#pragma once

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
        return Entries{field(
            "stages", &SidcoSelect::stages,
            "number of fits; 0: derived from the ratio, 3/4 for the first fit and 1/4 for each further one", 0u, 16u)};
    }
};
/// Positions above the last threshold, possibly none; each fit is a round of `operations`.
Positions select(const SidcoSelect& params, const SelectionInput& input, ComputeCost& operations);
constexpr bool has_fixed_count(const SidcoSelect&) { return false; }   ///< false: only the data tell

}   // namespace oscar
