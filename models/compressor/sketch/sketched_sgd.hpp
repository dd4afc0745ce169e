// Sketched-SGD: a Count Sketch finds where the sum of the ranks is large, a second round brings the exact values.
#pragma once

#include <cstdint>

#include "models/compressor/base/compressor.hpp"
#include "models/core/fields.hpp"

namespace oscar {

/// Each rank keeps its velocity u and what it has not sent of its velocities, v, of which it sends a sketch. The
/// candidates are the elements of the sum with the largest estimates; of their exact sums the largest are the mean. At
/// these v and u become zero. Laws: sum of gradients == sum of `sent` + v without momentum; with factor 1 the mean of
/// the gradients. Source: Ivkin et al., NeurIPS 2019, Algorithms 2 (HEAVYMIX) and 3, with its momentum factor masking.
struct SketchedSgdParams {
    std::uint32_t rows = 5;
    double ratio = 20;
    double factor = 100;
    double candidates = 4;
    double momentum = 0;
    static constexpr auto fields() {
        using P = SketchedSgdParams;
        return Entries{
            field("rows", &P::rows, "rows of the sketch; for an odd number the median is one of them", 1u, 99u),
            field("ratio", &P::ratio, "elements per cell of the sketch", 1e-3, 1e9),
            field("factor", &P::factor, "elements per one that a step delivers", 1.0, 1e9),
            field("candidates", &P::candidates, "elements of the second round per one that is delivered", 1.0, 1e6),
            field("momentum", &P::momentum, "momentum of a rank's velocity; 0: none", 0.0, 0.999999),
        };
    }
};
/// Its step throws std::invalid_argument for gradients too short for a column of the sketch, or of another length than
/// in the step before.
std::unique_ptr<Compressor> make_compressor(const SketchedSgdParams& params, std::uint32_t ranks, std::uint64_t seed);

}   // namespace oscar
