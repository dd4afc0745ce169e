// PowerSGD: each matrix becomes a product of two thin ones, improved from step to step by power iteration.
#pragma once

#include <array>

#include "models/compressor/base/compressor.hpp"
#include "models/core/fields.hpp"

namespace oscar {

/// The part of a power iteration that a step does.
enum class PowerIteration : std::uint8_t { both_halves, alternating };
constexpr auto choices(PowerIteration) {
    return std::array{
        Choice{"both_halves", PowerIteration::both_halves, "both factors are computed and reduced, as in the paper"},
        Choice{"alternating", PowerIteration::alternating,
               "one factor a step, in turns, as in the authors' later epfml/powersgd: half the bytes"}};
}

/// Where a step's iteration begins.
enum class PowerStart : std::uint8_t { warm, cold };
constexpr auto choices(PowerStart) {
    return std::array{Choice{"warm", PowerStart::warm, "at the last step's factor, as in the paper"},
                      Choice{"cold", PowerStart::cold, "at a random factor"}};
}

/// Matrix M of n x m, by rows: P = M Q, summed over the ranks; P is made orthonormal; Q = M^T P, summed; P Q^T is the
/// mean. Linear but for the basis, so the mean of N ranks is that of their mean gradient. Vectors, and matrices that
/// would shrink by no more than min_ratio, travel dense. Error feedback around it is part of the method: what is sent
/// counts as the mean's P Q^T for every rank, as in the authors' code. Laws: a matrix of at most this rank is exact
/// with both halves; orthogonal projection otherwise, so a contraction of the mean. Source: Vogels et al., NeurIPS
/// 2019, Algorithm 1; epfml/powersgd.
struct PowerSgdParams {
    std::uint32_t rank = 4;
    PowerIteration iteration = PowerIteration::both_halves;
    PowerStart start = PowerStart::warm;
    double min_ratio = 2;
    std::uint32_t dense_steps = 0;
    static constexpr auto fields() {
        return Entries{
            field("rank", &PowerSgdParams::rank, "columns of a factor, at most the matrix's smaller side", 1u, 65'536u),
            field("iteration", &PowerSgdParams::iteration, "part of a power iteration done in a step"),
            field("start", &PowerSgdParams::start, "start of a step's iteration"),
            field("min_ratio", &PowerSgdParams::min_ratio,
                  "least ratio of a matrix's elements to the floats sent per step; matrices below it are sent dense",
                  0.0, 1e9),
            field("dense_steps", &PowerSgdParams::dense_steps,
                  "steps before the first compressed one; epfml/powersgd does 100"),
        };
    }
};
/// Throws std::invalid_argument for rank 0; its step, if the tensors change. A factor that is set is the rank of that
/// matrix, rounded down: the columns that it had go on, new ones begin at random.
std::unique_ptr<Adjustable> make_compressor(const PowerSgdParams& params, std::uint32_t ranks, std::uint64_t seed);

}   // namespace oscar
