#include "models/compressor/sparse/top_k.hpp"

#include "models/compressor/base/magnitude.hpp"

namespace oscar {

Positions select(const TopKSelect&, const Draw& draw, ComputeCost& operations) {
    operations.elements += 2 * draw.values.size();
    operations.comparisons += 2 * draw.values.size();
    ++operations.rounds;
    return largest_positions(draw.values, kept(draw.values.size(), draw.factor));
}

}   // namespace oscar
