// Mean products of magnitudes at different places: each tells of the part that both places share, free of the noise
// that each place has for itself.
#pragma once

#include <vector>

#include "sim/generator/fit.hpp"

namespace oscar {

/// A sum of products and the number of its terms.
struct MeanProduct {
    double sum = 0, count = 0;
    double mean() const { return count > 0 ? sum / count : 0; }   ///< 0 without terms
};

/// Mean products of magnitudes that are not zero; both factors are of one iteration unless said otherwise.
struct PairMoments {
    MeanProduct square;                 ///< a value with itself
    MeanProduct ranks;                  ///< the same element of two ranks
    MeanProduct signed_ranks;           ///< likewise, with signs
    MeanProduct ranks_anywhere;         ///< likewise magnitudes, zeros included
    MeanProduct next;                   ///< an element of two ranks, one iteration apart, zeros included
    MeanProduct row, row_ranks;         ///< two columns of a row, of one rank; of two ranks
    MeanProduct column, column_ranks;   ///< two rows of a column
    MeanProduct all;                    ///< count of values and sum of magnitudes: not a product
};

/// `samples` are divided by their scale: the mean magnitude of what is not zero is 1 in each iteration and rank.
PairMoments pair_moments(const LayerSamples& samples);

}   // namespace oscar
