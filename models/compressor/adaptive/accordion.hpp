// Accordion as a compressor: low compression in critical regimes, high compression elsewhere.
#pragma once

#include <array>

#include "models/compressor/quantised/power_sgd.hpp"
#include "models/compressor/sparse/sparsifier.hpp"
#include "models/core/kinds.hpp"

namespace oscar {

/// The compressors that a controller of factors can steer.
inline constexpr auto adjustable_kinds = Entries{
    kind<SparsifierParams<TopKSelect>>("top_k", "the largest magnitudes of each tensor"),
    kind<SparsifierParams<RandomKSelect>>("random_k", "randomly selected elements"),
    kind<SparsifierParams<DgcLiteSelect>>("dgc_lite", "threshold from a sample, by GRACE and GraVAC"),
    kind<SparsifierParams<RedSyncSelect>>("redsync", "threshold by binary search between mean and maximum"),
    kind<SparsifierParams<TrimmedTopKSelect>>("redsync_trimmed", "Top-k of what exceeds a falling threshold"),
    kind<SparsifierParams<SidcoSelect>>("sidco", "threshold from a fitted exponential"),
    kind<PowerSgdParams>("power_sgd", "low-rank approximation; low and high are its ranks, such as 4 and 1"),
};
using AdjustableKind = OneOf<adjustable_kinds>;

/// The rule that tells critical regimes from others.
enum class AccordionRule : std::uint8_t { authors, per_iteration };
constexpr auto choices(AccordionRule) {
    return std::array{Choice{"authors", AccordionRule::authors,
                             "of each tensor at the end of epochs, as its authors' code; threshold 0.5"},
                      Choice{"per_iteration", AccordionRule::per_iteration,
                             "of all tensors in every step, as GraVAC's repository; threshold 0.2"}};
}

/// The quantity that the optimiser is given.
enum class Reduction : std::uint8_t { mean, sum };
constexpr auto choices(Reduction) {
    return std::array{Choice{"mean", Reduction::mean, "the mean of the ranks"},
                      Choice{"sum", Reduction::sum, "the sum of the ranks, as the authors' Top-k"}};
}

/// Rank 0 looks at its own gradients and broadcasts a byte per tensor with each decision. Source: Agarwal et al., MLSys
/// 2021; code of the repositories uw-mad-dash/Accordion and GraVAC.
struct AccordionParams {
    AdjustableKind compressor;
    double low = 1.01, high = 10;
    AccordionRule rule = AccordionRule::authors;
    double threshold = 0.5;
    std::uint32_t period = 10;
    std::uint32_t window = 100;
    double smoothing = 0.02;
    bool error_feedback = true;
    Reduction reduction = Reduction::mean;
    static constexpr auto fields() {
        return Entries{
            field("compressor", &AccordionParams::compressor, "controlled compressor; its own factor is replaced"),
            field("low", &AccordionParams::low, "factor in critical regimes; of power_sgd, the rank", 1.0, 1e9),
            field("high", &AccordionParams::high, "factor elsewhere; of power_sgd, the rank", 1.0, 1e9),
            field("rule", &AccordionParams::rule, "rule that detects critical regimes"),
            field("threshold", &AccordionParams::threshold,
                  "relative change of a norm above which a regime is critical", 0.0, 1e9),
            field("period", &AccordionParams::period, "epochs between comparisons (rule: authors)", 1u, 10'000u),
            field("window", &AccordionParams::window, "steps of the moving average (rule: per_iteration)", 1u,
                  1'000'000u),
            field("smoothing", &AccordionParams::smoothing, "weight of the newest step in the moving average", 0.0,
                  1.0),
            field("error_feedback", &AccordionParams::error_feedback,
                  "error feedback around the compressor; the authors' Top-k never writes its memory"),
            field("reduction", &AccordionParams::reduction, "quantity given to the optimiser"),
        };
    }
};
/// Of the controlled compressor.
inline void send_integers(AccordionParams& params) { send_integers(params.compressor); }
/// Throws std::invalid_argument for a low or high below 1 or not finite, and where its compressor, or the error
/// feedback around it, does.
std::unique_ptr<Compressor> make_compressor(const AccordionParams& params, std::uint32_t ranks, std::uint64_t seed);

}   // namespace oscar
