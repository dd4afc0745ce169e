// Deep Gradient Compression's choice: a threshold from a sample of the tensor.
#pragma once

#include <array>

#include "models/compressor/base/selection.hpp"
#include "models/core/fields.hpp"

namespace oscar {

/// The author's selection. Sample: every stride-th element from a random start, at least 1 % and at least 2 * factor of
/// them, or all of a small tensor. Threshold: the ceil(samples / factor)-th largest of the sample. Then with
/// K = ceil(n / factor): above 1.3 K elements, the K largest of those; below 0.8 K, the threshold times 0.8, again up
/// to ten times. No more than the first K are sent. Source: Lin et al., ICLR 2018, section 3; code of the repository
/// deep-gradient-compression by its first author.
struct DgcSelect {
    double sample_ratio = 0.01;
    double upper_bound = 1.3, lower_bound = 0.8;
    std::uint32_t adaptations = 10;
    bool resample = true;
    static constexpr auto fields() {
        return Entries{
            field("sample_ratio", &DgcSelect::sample_ratio, "share of the elements that are sampled", 0.01, 1.0),
            field("upper_bound", &DgcSelect::upper_bound, "multiple of K above which the selection is too large", 1.0,
                  100.0),
            field("lower_bound", &DgcSelect::lower_bound, "multiple of K below which the selection is too small", 0.01,
                  1.0),
            field("adaptations", &DgcSelect::adaptations, "most adaptations of the threshold", 0u, 100u),
            field("resample", &DgcSelect::resample,
                  "take the K largest of a selection that is too large; else raise its threshold by the upper bound"),
        };
    }
};
/// At most K positions: of a larger selection the first K.
Positions select(const DgcSelect& params, const SelectionInput& input, ComputeCost& operations);
constexpr bool has_fixed_count(const DgcSelect&) { return false; }   ///< false: only the data tell

/// The stride of the sample: ceil(n / samples / 32) * 32 + 1, less 8 until there are enough; 1: all elements.
std::uint64_t sample_stride(std::uint64_t elements, double factor, double sample_ratio);

/// DGC-lite of the GRACE and GraVAC repositories: 1 % sampled with replacement, threshold the
/// max(1, floor(0.01 n / factor))-th largest of them; up to ten times, above 1.3 n / factor the threshold times 1.3,
/// below 0.7 n / factor times 0.7. Nothing is cut off; the loop may swing and end far from the aim. Elements equal to
/// the threshold are sent, so all of a tensor of zeros.
struct DgcLiteSelect {
    static constexpr auto fields() { return Entries{}; }
};
/// Any number of positions; each threshold tried is a round of `operations`.
Positions select(const DgcLiteSelect& params, const SelectionInput& input, ComputeCost& operations);
constexpr bool has_fixed_count(const DgcLiteSelect&) { return false; }   ///< false: only the data tell

}   // namespace oscar
