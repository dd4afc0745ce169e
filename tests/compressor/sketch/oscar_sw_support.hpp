// Gradients whose zeros persist, for the tests of OSCAR-SW.
#pragma once

#include "models/compressor/sketch/oscar_sw.hpp"
#include "tests/compressor/sketch/sketch_support.hpp"

namespace oscar::testing {

inline constexpr OscarSwMode all_modes[] = {OscarSwMode::sketch_and_keep, OscarSwMode::packed_and_sketch,
                                            OscarSwMode::two_sketches};

inline OscarSwParams params_of(OscarSwMode mode) {
    OscarSwParams params;
    params.mode = mode;
    return params;
}

/// Values of magnitude 0.1 .. 1 wherever `is_member(i)`, so that codes of 8 bits are not zero there; of one step.
template <class Member>
Ranks gradients_at(std::uint64_t n, std::uint64_t step, std::uint32_t rank_count, Member is_member) {
    Ranks gradients(rank_count, std::vector<float>(n));
    for (std::uint32_t rank = 0; rank < rank_count; ++rank)
        for (std::uint64_t i = 0; i < n; ++i) {
            if (!is_member(i)) continue;
            const double u = uniform_at(random_at(step, rank), i);
            gradients[rank][i] =
                static_cast<float>((u < 0.5 ? -1 : 1) * (0.1 + 0.9 * uniform_at(random_at(step, rank) + 1, i)));
        }
    return gradients;
}

/// A share `churn` of the members changes between steps, the others stay.
inline bool churned(std::uint64_t i, std::uint64_t step, double density, double churn) {
    const bool changes = uniform_at(11, i) < 0.5 || churn == 1;
    const double stay = changes ? 0 : 1;
    const double u = uniform_at(stay > 0 ? 12 : random_at(13, step), i);
    return u < density * (changes ? 2 * churn : 2 * (1 - churn));
}

}   // namespace oscar::testing
