// Interface of compressors whose factor a controller sets, tensor by tensor.
#pragma once

#include "models/compressor/base/compressor.hpp"

namespace oscar {

/// A compressor that a controller steers.
class Adjustable : public Compressor {
public:
    /// Sets one factor per tensor from the next step on: elements for each one sent, in sparsifiers; the rank of the
    /// approximation, in low-rank methods. They stay until they are set again; without any, the parameters' factor
    /// holds. The next step throws std::invalid_argument if their number is not that of its tensors, or one is out of
    /// range.
    virtual void set_factors(std::vector<double> factors) = 0;
};

}   // namespace oscar
