// Figures of the gradients of one iteration, layer by layer, over all ranks.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "sim/trace/trace.hpp"

namespace oscar {

/// Repetition of zeros: |A and B| / |A or B| of the zero positions A and B of two iterations.
struct Repetition {
    double jaccard = 0;       ///< as it is
    double independent = 0;   ///< expected if the same numbers of zeros lay anywhere
};

/// Figures of one layer. "int8 codes" are round(value * 127 / peak), peak being the layer's largest magnitude over all
/// ranks: what quantiser {kind: per_tensor, agreement: exact} makes.
struct LayerStatistics {
    std::uint64_t values = 0;   ///< of all ranks
    double norm = 0;            ///< Euclidean, of one rank's layer; the mean over the ranks
    double zeros = 0;           ///< share of values that are exactly 0
    double kurtosis = 0;        ///< fourth central moment over the squared variance; 3 for normal values; 0 if constant
    double entropy_bits = 0;    ///< of the int8 codes, order 0, per value
    double zero_codes = 0;      ///< share of int8 codes that are 0
    std::optional<Repetition> repetition;   ///< of zero codes against the iteration before; none if neither has any
};

/// Magnitudes of the whole gradient of all ranks.
struct MagnitudeHistogram {
    std::uint64_t zeros = 0;
    std::map<int, std::uint64_t> counts;   ///< by k: values with 2^k <= |value| < 2^(k+1)
};

struct IterationStatistics {
    std::vector<LayerStatistics> layers;
    double norm = 0;   ///< of one rank's gradient; the mean over the ranks
    MagnitudeHistogram magnitudes;
};

/// Reads the iteration at `position` twice, and if it follows the one before, that one twice, too. Memory does not
/// depend on their size. TraceError: see Trace::array and Trace::check_finite.
IterationStatistics iteration_statistics(const Trace& trace, std::size_t position);

}   // namespace oscar
