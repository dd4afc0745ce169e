// The family of lossy compressors: to add one, write its file pair (source in models/compressor/CMakeLists.txt) with
// its parameters and its make_compressor(params, ranks, seed), and a line in its part's list.
#pragma once

#include <cstdint>
#include <memory>

#include "models/compressor/adaptive/accordion.hpp"
#include "models/compressor/adaptive/gravac.hpp"
#include "models/compressor/base/dense.hpp"
#include "models/compressor/quantised/inceptionn.hpp"
#include "models/compressor/quantised/one_bit.hpp"
#include "models/compressor/quantised/power_sgd.hpp"
#include "models/compressor/quantised/qsgd.hpp"
#include "models/compressor/quantised/sign_vote.hpp"
#include "models/compressor/quantised/switch_ml.hpp"
#include "models/compressor/quantised/terngrad.hpp"
#include "models/compressor/quantised/thc.hpp"
#include "models/compressor/sketch/fetch_sgd.hpp"
#include "models/compressor/sketch/lhc.hpp"
#include "models/compressor/sketch/oscar_sw.hpp"
#include "models/compressor/sketch/sketched_sgd.hpp"
#include "models/compressor/sketch/tagc.hpp"
#include "models/compressor/sparse/dgc.hpp"
#include "models/compressor/sparse/sparsifier.hpp"
#include "models/compressor/sparse/strom.hpp"
#include "models/core/kinds.hpp"

namespace oscar {

/// Sparsifiers (models/compressor/sparse) and controllers that steer them.
inline constexpr auto sparse_kinds = Entries{
    kind<SparsifierParams<TopKSelect>>("top_k", "the largest magnitudes of each tensor"),
    kind<SparsifierParams<RandomKSelect>>("random_k",
                                          "randomly selected elements, the same on all ranks or each rank's own"),
    kind<DgcParams>("dgc", "Deep Gradient Compression as by its author: momentum corrected and masked, warm-up"),
    kind<SparsifierParams<DgcLiteSelect>>("dgc_lite", "its selection alone, as GRACE and GraVAC call DGC"),
    kind<SparsifierParams<RedSyncSelect>>("redsync", "threshold by binary search between mean and maximum"),
    kind<SparsifierParams<TrimmedTopKSelect>>("redsync_trimmed", "Top-k of what exceeds a falling threshold"),
    kind<SparsifierParams<SidcoSelect>>("sidco", "threshold from a fitted exponential"),
    kind<StromParams>("strom", "Strom: the sign of what reaches an absolute threshold; needs error feedback"),
    kind<MultiLevelParams>("multi_level", "two levels: a selection from a selection"),
    kind<GravacParams>("gravac", "controller: chooses the factor by compression gain and throughput"),
    kind<AccordionParams>("accordion", "controller: a low factor while gradients change much, a high one elsewhere"),
};

/// Sketches: sums of compressed gradients are compressed sums.
inline constexpr auto sketch_kinds = Entries{
    kind<CountSketchParams>("count_sketch",
                            "Count Sketch with heavy-hitter recovery, error and momentum in sketches (FetchSGD)"),
    kind<SketchedSgdParams>("sketched_sgd", "Count Sketch finds the candidates, a second round has their exact values"),
    kind<LhcParams>("lhc", "index and sketch of all elements, peeled by every rank: lossless for sparse gradients"),
    kind<TagcParams>("tagc",
                     "large tensors only, sparsified; index by all-reduce, sketch by reduce to the shard's owner"),
    kind<OscarSwParams>(
        "oscar_sw",
        "zeros predicted by the last step: predicted non-zeros sketched or packed, no index on the critical path"),
};

/// Compressors that quantise or approximate instead of leaving elements out.
// clang-format off
inline constexpr auto quantised_kinds = Entries{
    kind<QsgdParams>("qsgd", "QSGD: levels of a bucket's norm, rounded at random"),
    kind<TernGradParams>("terngrad", "TernGrad: -1, 0 or 1 times the largest magnitude, at random"),
    kind<OneBitParams>("one_bit", "1-bit SGD: signs and the means on both sides; needs error feedback"),
    kind<ScaledSignParams>("scaled_sign", "EF-signSGD: signs and the mean magnitude; needs error feedback"),
    kind<SignVoteParams>("sign_vote", "signSGD: the majority of the ranks' signs"),
    kind<PowerSgdParams>("power_sgd", "PowerSGD: two thin factors of each matrix; needs error feedback"),
    kind<ThcParams>("thc", "THC: rotated values, levels of a table of integers; needs error feedback"),
    kind<InceptionnParams>("inceptionn", "INCEPTIONN: 0, 8, 16 or 32 bits by size, recoded at every hop"),
    kind<SwitchMlParams>("switch_ml", "SwitchML: integers with an exponent for each packet")
};
// clang-format on

/// One line for each part's list, in this order.
// clang-format off
inline constexpr auto lossy_kinds = concatenate(
    Entries{kind<DenseParams>("dense", "no compression: an all-reduce of the fp32 gradients")},
    sparse_kinds,
    sketch_kinds,
    quantised_kinds
);
// clang-format on
using LossyKind = OneOf<lossy_kinds>;

/// The compressor of all `ranks` ranks, as it is before its first step. Throws std::invalid_argument for parameters
/// that contradict one another, or no ranks.
std::unique_ptr<Compressor> make_compressor(const LossyKind& kind, std::uint32_t ranks, std::uint64_t seed);

}   // namespace oscar
