// FetchSGD: momentum and error live in Count Sketches; a step applies the heavy hitters of the error.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/compressor/base/compressor.hpp"
#include "models/compressor/sketch/count_sketch.hpp"
#include "models/core/fields.hpp"

namespace oscar {

/// Removal of recovered elements from the sketches of error and momentum.
enum class Removal : std::uint8_t { zero, subtract };
constexpr auto choices(Removal) {
    return std::array{Choice{"zero", Removal::zero, "their cells become zero, as the authors' code does"},
                      Choice{"subtract", Removal::subtract,
                             "their sketch is subtracted from the error, as in the paper; may diverge"}};
}

/// Place where the learning rate enters.
enum class RateIn : std::uint8_t { recovered, error };
constexpr auto choices(RateIn) {
    return std::array{Choice{"recovered", RateIn::recovered, "at recovery, as in the authors' code"},
                      Choice{"error", RateIn::error, "before the error, as in the paper"}};
}

/// Parameters of the recovery from the sketches and of the error that remains. Source: Rothchild et al., ICML 2020,
/// Algorithm 1, and kiddyboots216/CommEfficient (fed_aggregator.py).
struct RecoveryParams {
    std::uint64_t k = 0;   ///< elements of a step; 0: by epsilon
    double epsilon = 0;    ///< share of the norm
    double momentum = 0;
    bool accumulate = true;   ///< whether unrecovered elements stay as error
    Removal removal = Removal::zero;
    RateIn rate = RateIn::recovered;
};

/// The server's work, or every rank's own, on the sum of the sketches.
class HeavyHitters {
public:
    HeavyHitters(const SketchHash& hash, const RecoveryParams& params);
    /// The change of the weights, to be subtracted from them. Throws std::invalid_argument for a rate that is not above
    /// 0.
    std::vector<float> step(const CountSketch<float>& sketch, float learning_rate);
    /// Sketch of the elements that were not recovered yet.
    const CountSketch<float>& error() const { return error_; }

private:
    RecoveryParams params_;
    CountSketch<float> momentum_, error_;
};

/// Count Sketch of the whole gradient with heavy-hitter recovery. `mean` contains the momentum, so that the optimiser
/// has none of its own.
struct CountSketchParams {
    std::uint32_t rows = 3;
    double ratio = 10;
    std::uint32_t columns = 0;
    double kept = 0.1;
    double epsilon = 0;
    std::uint32_t blocks = 1;
    double momentum = 0;
    double clip = 0;
    bool accumulate = true;
    Removal removal = Removal::zero;
    RateIn rate = RateIn::recovered;
    static constexpr auto fields() {
        using P = CountSketchParams;
        return Entries{
            field("rows", &P::rows, "rows of the sketch; for an odd number the median is one of them", 1u, 99u),
            field("ratio", &P::ratio, "elements per cell of the sketch", 1.0, 1e9),
            field("columns", &P::columns, "cells of a row, in place of ratio; 0: by the ratio"),
            field("kept", &P::kept, "elements recovered in a step, per column", 1e-9, 1.0),
            field("epsilon", &P::epsilon,
                  "share of the norm above which elements are recovered, in place of kept; 0: by kept", 0.0, 1.0),
            field("blocks", &P::blocks, "parts of the gradient that share hashes", 1u, 1u << 20),
            field("momentum", &P::momentum, "momentum of the sums of sketches", 0.0, 0.999999),
            field("clip", &P::clip,
                  "largest norm of a rank's sketch, as estimated by it; a larger one is scaled down; 0: unlimited", 0.0,
                  1e30),
            field("accumulate", &P::accumulate, "keep unrecovered elements as error"),
            field("removal", &P::removal, "removal of recovered elements from the sketches"),
            field("rate", &P::rate, "place where the learning rate is applied"),
        };
    }
};
/// Its step throws std::invalid_argument for gradients too short for the sketch: without a column, or with no element
/// to recover.
std::unique_ptr<Compressor> make_compressor(const CountSketchParams& params, std::uint32_t ranks, std::uint64_t seed);

}   // namespace oscar
