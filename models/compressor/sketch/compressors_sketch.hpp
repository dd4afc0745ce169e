// Family list of the sketching compressors: sums of their compressed gradients are compressed sums.
#pragma once

#include "models/compressor/sketch/fetch_sgd.hpp"
#include "models/compressor/sketch/lhc.hpp"
#include "models/compressor/sketch/oscar_sw.hpp"
#include "models/compressor/sketch/tagc.hpp"
#include "models/core/kinds.hpp"

namespace oscar {

inline constexpr auto sketch_kinds = Entries{
    kind<CountSketchParams>("count_sketch",
                            "Count Sketch with heavy-hitter recovery, error and momentum in sketches (FetchSGD)"),
    kind<LhcParams>("lhc", "index and sketch of all elements, peeled by every rank: lossless for sparse gradients"),
    kind<TagcParams>("tagc",
                     "large tensors only, sparsified; index by all-reduce, sketch by reduce to the shard's owner"),
    kind<OscarSwParams>(
        "oscar_sw",
        "zeros predicted by the last step: predicted non-zeros sketched or packed, no index on the critical path"),
};

}   // namespace oscar
